// Command reference answers what the reference webrpc parser makes of a schema: one JSON request a line on standard
// input, one JSON answer a line on standard output, in the same order.
//
//	→ {"kind":"ridl","path":"m.ridl","files":{"m.ridl":"webrpc = v1\n"}}
//	← {"verdict":"ok","ir":"{\n …","hash":"40e6…"}
//
// A panic of the reference on one of its own goroutines and a stack overflow cannot be caught: the process then ends
// without an answer, and the caller counts the first unanswered request as a crash and starts the program again.
// After the answer "hang" the program ends by itself, because a goroutine that never yields cannot be stopped.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// request names the entry file by path; files holds every file that may be read. Kind is "ridl" or "ir-json".
type request struct {
	Kind   string            `json:"kind"`
	Path   string            `json:"path"`
	Files  map[string]string `json:"files"`
	Filter filterOptions     `json:"filter"`
}

// answer has IR and hash for "ok", a message for "error" and "crash", nothing more for "hang".
type answer struct {
	Verdict string `json:"verdict"`
	Message string `json:"message,omitempty"`
	IR      string `json:"ir,omitempty"`
	Hash    string `json:"hash,omitempty"`
}

// requestMaxBytes bounds one line of input: a schema of 20,000 types has 6 MB.
const requestMaxBytes = 1 << 28

// stackMaxBytes is far above what a schema of sane depth needs and makes an endless recursion end in milliseconds;
// Go's own limit of 1 GB takes seconds and the memory of the machine.
const stackMaxBytes = 64 << 20

func main() {
	hang := flag.Duration("hang", 3*time.Second, "how long one request may take before it counts as a hang")
	flag.Parse()
	debug.SetMaxStack(stackMaxBytes)
	if err := serve(*hang); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(hang time.Duration) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<16), requestMaxBytes)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var req request
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return fmt.Errorf("request is not readable: %w", err)
		}
		result := make(chan answer, 1)
		go func() { result <- respond(req) }()
		timer := time.NewTimer(hang)
		select {
		case a := <-result:
			timer.Stop()
			if err := out.Encode(a); err != nil {
				return err
			}
		case <-timer.C:
			return out.Encode(answer{Verdict: "hang"})
		}
	}
	return lines.Err()
}
