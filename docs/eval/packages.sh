# The packages of the evaluation beyond those of docs/bench/corpus.sh, which
# reads this file as CORPUS_LIST. None of them was seen by the built-in prior
# (docs/bench/prior.sh). packages.tsv says what each is for.
GO_MODULES="
golang.org/x/tools@v0.1.12
golang.org/x/net@v0.20.0
github.com/nats-io/nats-server/v2@v2.10.0
github.com/caddyserver/caddy/v2@v2.7.0
github.com/dgraph-io/badger/v4@v4.2.0
"
NPM_PACKAGES="
lodash@4.17.20
webpack@5.90.0
eslint@8.56.0
@reduxjs/toolkit@2.2.0
@tanstack/table-core@8.11.0
@solana/web3.js@1.90.0
"
DEB_SOURCES="
readline=8.2-1.3
zlib=1:1.2.13.dfsg-1
gawk=1:5.2.1-2
tmux=3.3a-3
jansson=2.14-2
gsoap=2.8.124-2
re2=20220601+dfsg-1
snappy=1.1.9-3
leveldb=1.23-4
yaml-cpp=0.7.0+dfsg-8
pugixml=1.13-0.2
rich=13.3.1-1
mercurial=6.3.2-1+deb12u1
jinja2=3.1.2-1+deb12u3
python-pip=23.0.1+dfsg-1
libcommons-collections4-java=4.2-1
libcommons-lang3-java=3.12.0-2
httpcomponents-core=4.4.16-1
"
