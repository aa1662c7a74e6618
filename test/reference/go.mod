module ridlkit/test/reference

go 1.25.11

tool github.com/webrpc/webrpc/cmd/webrpc-test

require github.com/webrpc/webrpc v0.42.0

require github.com/google/go-cmp v0.7.0 // indirect
