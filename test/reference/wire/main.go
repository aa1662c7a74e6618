// Command wire is a server and a client of test/fixtures/wire/schema.ridl as gen-golang makes them: wire.gen.go is printed by
// webrpc-gen when .ci/run builds this program.
//
//	wire -server                  serves, and prints its address
//	wire -client -url=http://…    one call a line of standard input, what came of it a line of standard output
//
// Calls are {"echo": <Everything>}, {"pay": <Payment>}, {"choose": <Charge>}, {"watch": <Query>} and {"tail": 3}; outcomes {"answer": …}, {"items": […]} and {"error": …},
// the last two together where a stream ends in an error.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	server := flag.Bool("server", false, "serve")
	client := flag.Bool("client", false, "call")
	url := flag.String("url", "", "whom to call")
	flag.Parse()
	var err error
	switch {
	case *server:
		err = serve()
	case *client:
		err = call(NewWireClient(*url, http.DefaultClient))
	default:
		err = errors.New("-server or -client")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, NewWireServer(service{}))
}

type service struct{}

func (service) Echo(_ context.Context, everything Everything) (*Everything, error) {
	return &everything, nil
}

func (service) EchoText(_ context.Context, text string, note *string) (string, *string, error) {
	return text, note, nil
}

// Pay does as the handler in test/support/feed.ts, but knows no data of errors.
func (service) Pay(_ context.Context, payment Payment) (*Payment, error) {
	if payment.Amount > 1000 {
		return nil, ErrDeclined
	}
	return &payment, nil
}

func (service) Choose(_ context.Context, charge Charge) (*Charge, error) {
	return &charge, nil
}

// Watch does as the handler in test/support/feed.ts.
func (service) Watch(ctx context.Context, query Query, stream WatchStreamWriter) error {
	if query.Feed == "none" {
		return ErrNoSuchFeed.WithCause(errors.New("try another"))
	}
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.UTC)
	for sequence := query.From; query.Count == 0 || sequence < query.From+query.Count; sequence++ {
		if query.Feed == "broken" && sequence == query.From+2 {
			return ErrBroken
		}
		amount := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 64), new(big.Int).SetUint64(sequence))
		if err := stream.Write(&Tick{Sequence: sequence, Amount: BigInt(*amount), At: at}); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (service) Tail(_ context.Context, lines uint32, stream TailStreamWriter) error {
	for range lines {
		if err := stream.Write(strings.Repeat("x", 1_000_000), time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)); err != nil {
			return err
		}
	}
	return nil
}

type order struct {
	Echo   *Everything `json:"echo"`
	Pay    *Payment    `json:"pay"`
	Choose *Charge     `json:"choose"`
	Watch  *Query      `json:"watch"`
	Tail   *uint32     `json:"tail"`
}

type outcome struct {
	Answer any   `json:"answer,omitempty"`
	Items  []any `json:"items,omitempty"`
	Error  any   `json:"error,omitempty"`
}

// lineMaxBytes is far above what a call of a megabyte takes.
const lineMaxBytes = 1 << 26

func call(client WireClient) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<16), lineMaxBytes)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var what order
		var result outcome
		if err := json.Unmarshal(lines.Bytes(), &what); err != nil {
			result.Error = "unreadable: " + err.Error()
		} else {
			result = carryOut(client, what)
		}
		if err := out.Encode(result); err != nil {
			return err
		}
	}
	return lines.Err()
}

func carryOut(client WireClient, what order) outcome {
	ctx := context.Background()
	switch {
	case what.Echo != nil:
		answer, err := client.Echo(ctx, *what.Echo)
		return outcome{Answer: answer, Error: told(err)}
	case what.Pay != nil:
		answer, err := client.Pay(ctx, *what.Pay)
		return outcome{Answer: answer, Error: told(err)}
	case what.Choose != nil:
		answer, err := client.Choose(ctx, *what.Choose)
		return outcome{Answer: answer, Error: told(err)}
	case what.Watch != nil:
		reader, err := client.Watch(ctx, *what.Watch)
		if err != nil {
			return outcome{Error: told(err)}
		}
		return readAll(func() (any, error) { return reader.Read() })
	case what.Tail != nil:
		reader, err := client.Tail(ctx, *what.Tail)
		if err != nil {
			return outcome{Error: told(err)}
		}
		return readAll(func() (any, error) {
			line, at, err := reader.Read()
			return map[string]any{"length": len(line), "at": at}, err
		})
	}
	return outcome{Error: "no call"}
}

func readAll(read func() (any, error)) outcome {
	var items []any
	for {
		item, err := read()
		if errors.Is(err, ErrWebrpcStreamFinished) || errors.Is(err, io.EOF) {
			return outcome{Items: items}
		}
		if err != nil {
			return outcome{Items: items, Error: told(err)}
		}
		items = append(items, item)
	}
}

// told is the error as the wire has it; anything else by its text.
func told(err error) any {
	if err == nil {
		return nil
	}
	var failure WebRPCError
	if errors.As(err, &failure) {
		return failure
	}
	var within *WebRPCError
	if errors.As(err, &within) {
		return within
	}
	return err.Error()
}
