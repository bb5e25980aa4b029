module github.com/git-provenance/git-provenance

go 1.26.0

// Each line says what a module is for, and how much of a program for linux/amd64 it
// takes (65 MB, of which the parse tables of the grammars are 30 and debug
// information 8). A lexer makes a grammar's tables rarely used; they still decide
// where the lexer refuses.
require (
	github.com/BurntSushi/toml v1.6.0 // manifests of Rust and Python, lock files of Cargo, Poetry, uv
	github.com/CycloneDX/cyclonedx-go v0.12.0 // types of the CycloneDX report, and of .ci/sbom.go; 40 KB
	github.com/FastFilter/xorfilter v0.4.2-0.20260120015552-4e5a4d9df65a // binary fuse filter of a segment: most look-ups end there; 6 KB
	github.com/getkin/kin-openapi v0.152.0 // tests only: GitHub's API description judges the Action's requests
	github.com/go-enry/go-enry/v2 v2.9.6 // tests: Linguist's tables, to which names.txt of lang is held
	github.com/go-git/go-git/v5 v5.19.3 // a repository's configuration, loose objects; 40 KB
	github.com/google/go-github/v60 v60.0.0 // GitHub's API: check runs, comments, rate limits; 110 KB
	github.com/google/licensecheck v0.3.1 // texts of licences; 70 KB
	github.com/jackc/pgx/v5 v5.12.0 // pgconn only, the protocol of PostgreSQL: shared baselines; 1.6 MB
	github.com/johannesboyne/gofakes3 v1.2.0 // tests only: a bucket that knows conditional writes and ranges
	github.com/klauspost/compress v1.20.3 // zstd of baselines, with checksums; 270 KB
	github.com/minio/minio-go/v7 v7.4.1 // S3, its signatures and credentials: shared baselines in a bucket; 2.2 MB
	github.com/modelcontextprotocol/go-sdk v1.8.0 // the protocol by which coding assistants ask; 2.6 MB
	github.com/package-url/packageurl-go v0.1.7 // package URLs; 7 KB
	github.com/rogpeppe/go-internal v1.16.0 // lock files as the go command has them; test scripts; 7 KB
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests only: schemas of reports
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82 // tree-sitter runtime, and the grammar of Swift; 3.1 MB
	github.com/spdx/tools-golang v0.5.7 // types of the SPDX report; 14 KB
	github.com/spf13/cobra v1.10.2 // commands, help, completion, manual pages; 60 KB
	github.com/spf13/pflag v1.0.10 // cobra's flags, with values of our own; 100 KB
	github.com/tree-sitter-grammars/tree-sitter-kotlin v1.1.0 // 3.4 MB
	github.com/tree-sitter-grammars/tree-sitter-lua v0.3.0 // 50 KB
	github.com/tree-sitter/tree-sitter-bash v0.23.3 // 1.3 MB
	github.com/tree-sitter/tree-sitter-c v0.23.4 // 0.6 MB
	github.com/tree-sitter/tree-sitter-c-sharp v0.23.1 // 5.9 MB
	github.com/tree-sitter/tree-sitter-cpp v0.23.4 // 3.4 MB
	github.com/tree-sitter/tree-sitter-go v0.23.4 // 0.2 MB
	github.com/tree-sitter/tree-sitter-java v0.23.5 // 0.4 MB
	github.com/tree-sitter/tree-sitter-javascript v0.23.1 // 0.4 MB; JSX too
	github.com/tree-sitter/tree-sitter-php v0.23.11 // 1.5 MB: the module brings two variants
	github.com/tree-sitter/tree-sitter-python v0.23.6 // 0.5 MB
	github.com/tree-sitter/tree-sitter-ruby v0.23.1 // 2.1 MB
	github.com/tree-sitter/tree-sitter-rust v0.23.2 // 1.0 MB
	github.com/tree-sitter/tree-sitter-scala v0.23.4 // 3.7 MB
	github.com/tree-sitter/tree-sitter-typescript v0.23.2 // 2.9 MB: TypeScript and TSX
	github.com/ulikunitz/xz v0.5.17 // archives of Debian sources; 60 KB
	golang.org/x/mod v0.42.0 // go.mod files, module paths and versions, checksum database; 130 KB
	golang.org/x/net v0.61.0 // tests only: HTML as a browser parses it
	golang.org/x/sync v0.24.0 // groups of goroutines that stop at the first error
	golang.org/x/sys v0.49.0 // memory maps, limits of descriptors; 9 KB
	golang.org/x/term v0.47.0 // a terminal's width; 1 KB
	golang.org/x/text v0.43.0 // names in zips of code page 437
	gopkg.in/yaml.v3 v3.0.1 // .git-provenance.yml, pnpm workspaces, lock files of pnpm and Yarn; 210 KB
)

require (
	github.com/anchore/go-struct-converter v0.1.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/cyphar/filepath-securejoin v0.6.1 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/go-enry/go-oniguruma v1.2.1 // indirect
	github.com/go-git/gcfg v1.5.1-0.20230307220236-3a3c6141e376 // indirect
	github.com/go-git/go-billy/v5 v5.9.2 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/gorilla/mux v1.8.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/klauspost/crc32 v1.3.0 // indirect
	github.com/minio/crc64nvme v1.1.1 // indirect
	github.com/minio/md5-simd v1.1.2 // indirect
	github.com/oasdiff/yaml v0.1.1 // indirect
	github.com/oasdiff/yaml3 v0.0.14 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/pjbgf/sha1cd v0.7.0 // indirect
	github.com/rs/xid v1.6.0 // indirect
	github.com/ryszard/goskiplist v0.0.0-20150312221310-2dfbae5fcf46 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/tinylib/msgp v1.6.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.shabbyrobe.org/gocovmerge v0.0.0-20230507111327-fa4f82cfbf4d // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	gopkg.in/ini.v1 v1.67.3 // indirect
	gopkg.in/warnings.v0 v0.1.2 // indirect
)
