package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/webrpc/webrpc/schema"
)

// filterOptions are webrpc-gen's flags as they are typed: lists separated by commas, annotations as "@name:value".
// A null schemaVersion leaves the version alone, which the flag's own default does too.
type filterOptions struct {
	SchemaVersion   *string `json:"schemaVersion"`
	Service         string  `json:"service"`
	MethodTreeShake bool    `json:"methodTreeShake"`
	Ignore          string  `json:"ignore"`
	Match           string  `json:"match"`
}

// applyFilter keeps webrpc-gen's order: version, tree shake, services, then annotations.
func applyFilter(s *schema.WebRPCSchema, options filterOptions) (*schema.WebRPCSchema, error) {
	if options.SchemaVersion != nil {
		s.SchemaVersion = *options.SchemaVersion
	}
	if options.Service != "" {
		services := strings.Split(options.Service, ",")
		if options.MethodTreeShake {
			s = schema.MethodTreeShake(s, services)
		}
		s = schema.MatchServices(s, services)
	}
	if options.Ignore != "" && options.Match != "" {
		return nil, errors.New("ignore and match exclude each other")
	}
	if options.Ignore != "" {
		annotations, err := annotationsOf(options.Ignore)
		if err != nil {
			return nil, err
		}
		s = schema.IgnoreMethodsWithAnnotations(s, annotations)
	}
	if options.Match != "" {
		annotations, err := annotationsOf(options.Match)
		if err != nil {
			return nil, err
		}
		s = schema.MatchMethodsWithAnnotations(s, annotations)
	}
	return s, nil
}

// annotationsOf reads "@internal,@acl:admin" as {internal: "", acl: "admin"}. What stands before "@" is dropped and
// a repeated name keeps its last value, as in webrpc-gen.
func annotationsOf(list string) (map[string]string, error) {
	annotations := map[string]string{}
	for _, item := range strings.Split(list, ",") {
		_, annotation, found := strings.Cut(item, "@")
		if !found {
			return nil, fmt.Errorf("no annotation in %q", item)
		}
		name, value, _ := strings.Cut(annotation, ":")
		annotations[name] = value
	}
	return annotations, nil
}
