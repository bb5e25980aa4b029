module github.com/git-provenance/git-provenance/.ci/intoto

go 1.26.8

require (
	github.com/in-toto/attestation v1.2.0
	google.golang.org/protobuf v1.36.11
)
