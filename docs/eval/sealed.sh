# Further packages that nothing was fitted to, chosen as those of fresh.sh were
# and of other kinds again. The findings in these were not looked at while the
# scoring was worked on: they were scanned when it was done, and seen by what was changed after that.
# What was seen in
# fresh packages could have swayed it. docs/bench/corpus.sh reads this file as
# CORPUS_LIST.
GO_MODULES="
github.com/go-chi/chi/v5@v5.0.11
github.com/labstack/echo/v4@v4.11.4
gorm.io/gorm@v1.25.5
github.com/hashicorp/raft@v1.6.0
github.com/charmbracelet/bubbletea@v0.25.0
github.com/go-git/go-git/v5@v5.11.0
github.com/restic/restic@v0.16.2
github.com/open-policy-agent/opa@v0.59.0
github.com/evanw/esbuild@v0.19.10
github.com/faiface/pixel@v0.10.0
gorgonia.org/tensor@v0.9.24
"
NPM_PACKAGES="
express@4.18.2
knex@3.1.0
moment@2.29.4
melonjs@15.14.0
uglify-js@3.17.4
leaflet@1.9.4
async@3.2.5
video.js@8.6.1
vega-view@5.11.1
escodegen@2.1.0
pdf-lib@1.17.1
libp2p@1.0.8
openai@4.24.1
@libp2p/kad-dht@12.0.2
fabric@6.0.0-beta16
@tldraw/tlschema@2.0.0-beta.2
@graphiql/react@0.20.2
tone@14.7.77
vega-lite@5.16.3
@tiptap/core@2.1.13
ajv@8.12.0
@jupyterlab/services@7.0.9
"
DEB_SOURCES="
netty=1:4.1.48-7+deb12u2
maven=3.8.7-1
hsqldb=2.7.1-1+deb12u1
groovy=2.4.21-8
ant=1.10.13-1
libxerces2-java=2.12.2-1
mockito=2.23.0-2
keystone=2:22.0.2-0+deb12u3
pillow=9.4.0-1.1+deb12u1
python-cryptography=38.0.4-3+deb12u1
hplip=3.22.10+dfsg0-2
curl=7.88.1-10+deb12u15
gsl=2.7.1+dfsg-5+deb12u1
flac=1.4.2+ds-2
vim=2:9.0.1378-2+deb12u2
git=1:2.39.5-0+deb12u3
gnuchess=6.2.7-1+deb12u1
poppler=22.12.0-2+deb12u2
ninja-build=1.11.1-2~deb12u1
protobuf=3.21.12-3+deb12u1
bullet=3.24+dfsg-2
armadillo=1:11.4.2+dfsg-1
simgrid=3.32-2
"
