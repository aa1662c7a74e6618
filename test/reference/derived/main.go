// Command derived is a client of test/fixtures/derived/schema.ridl as gen-golang makes it of the expanded IR: derived.gen.go is
// printed by webrpc-gen when .ci/run builds this program.
//
//	derived http://… {"name":"Bo"}    sends the fields as a patch, and prints the patch of the response
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	if err := change(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func change(url, text string) error {
	var patch PatientPatch
	if err := json.Unmarshal([]byte(text), &patch); err != nil {
		return err
	}
	answer, err := NewClinicClient(url, http.DefaultClient).Change(context.Background(), 7, &patch)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}
