package fingerprint

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Key is a secret that changes the order of hashes before winnowing; the zero Key leaves them unchanged. Heintze
// proposed this ("Scalable document fingerprinting", 1996): a person without the secret cannot work out which k-grams
// are selected.
//
//	secret'       = HMAC-SHA-256(secret, "git-provenance fingerprint order 1")[:16]
//	order(h)      = the first 8 bytes of AES-128(secret', h and 8 zero bytes), little-endian
//	check(secret) = HMAC-SHA-256(secret, "git-provenance fingerprint check 1")[:8], in hex
//
// Equal hashes stay equal, so the guarantee of the package comment holds: its proof needs no particular order. As
// before, two different hashes become equal only by accident.
type Key struct {
	block cipher.Block
	check string
}

// MinKey is the least length of a secret in bytes. The check value lets anybody test a guess, so a secret must be too
// long to be found by trying.
const MinKey = 16

const (
	orderLabel = "git-provenance fingerprint order 1"
	checkLabel = "git-provenance fingerprint check 1"
)

// NewKey makes the key of a secret.
func NewKey(secret []byte) Key {
	block, err := aes.NewCipher(derive(secret, orderLabel)[:16])
	if err != nil {
		panic(err) // only a key of a wrong length fails
	}
	return Key{block, hex.EncodeToString(derive(secret, checkLabel)[:8])}
}

func derive(secret []byte, label string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(label))
	return mac.Sum(nil)
}

// IsZero reports whether there is no secret.
func (k Key) IsZero() bool { return k.block == nil }

// Check returns a value that identifies the secret without revealing it; "" for the zero Key.
func (k Key) Check() string { return k.check }

// Order replaces each hash by its position in the key's order. Without a secret it does nothing.
func (k Key) Order(hashes []uint64) {
	if k.block == nil {
		return
	}
	b := make([]byte, aes.BlockSize)
	for i, h := range hashes {
		binary.LittleEndian.PutUint64(b, h)
		clear(b[8:])
		k.block.Encrypt(b, b)
		hashes[i] = binary.LittleEndian.Uint64(b)
	}
}
