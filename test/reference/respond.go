package main

import (
	"fmt"
	"testing/fstest"

	"github.com/webrpc/webrpc/schema"
	"github.com/webrpc/webrpc/schema/ridl"
)

// respond does what webrpc-gen does up to the code templates: read, check, default base path, filter, hash.
func respond(req request) (a answer) {
	defer func() {
		if reason := recover(); reason != nil {
			a = answer{Verdict: "crash", Message: fmt.Sprint(reason)}
		}
	}()
	s, err := read(req)
	if err != nil {
		return refuse(err)
	}
	if s.BasePath == "" && len(s.Services) > 0 {
		s.BasePath = "/rpc/"
	}
	if s, err = applyFilter(s, req.Filter); err != nil {
		return refuse(err)
	}
	text, err := s.ToJSON()
	if err != nil {
		return refuse(err)
	}
	hash, err := s.SchemaHash()
	if err != nil {
		return refuse(err)
	}
	return answer{Verdict: "ok", IR: text, Hash: hash}
}

func read(req request) (*schema.WebRPCSchema, error) {
	switch req.Kind {
	case "ridl":
		files := fstest.MapFS{}
		for path, text := range req.Files {
			files[path] = &fstest.MapFile{Data: []byte(text)}
		}
		return ridl.NewParser(files, ".", req.Path).Parse()
	case "ir-json":
		return schema.ParseSchemaJSON([]byte(req.Files[req.Path]))
	default:
		return nil, fmt.Errorf("unknown kind %q", req.Kind)
	}
}

func refuse(err error) answer {
	return answer{Verdict: "error", Message: err.Error()}
}
