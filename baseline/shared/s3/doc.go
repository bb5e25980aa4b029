// Package s3 keeps shared baselines in a bucket of any store that speaks S3 and supports conditional writes.
//
// # In the bucket
//
//	PREFIX/head            JSON: the newest generation, see head
//	PREFIX/objects/KEY     a file of the baseline, named by its content, and a number of the
//	                       writer, so that a key is never written twice
//
// A change uploads its files first and then the head. The head is written on the condition that it is still the one
// that was read (If-Match), or that there is none (If-None-Match). So one of two writers is refused. The head also
// lists retired files, and since when, by the clock of the store. After writing its head, a change that adds files
// removes those retired for more than an hour. Every change also removes files older than a day that no head names,
// which killed writers left.
//
// A file is read in ranges, on the condition that it is still the one that was uploaded.
//
// # Changelog of the head
//
//	1: first version
package s3

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// chunkSize is the least number of bytes that one request fetches: waiting for it takes longer than reading.
const chunkSize = 16 << 10

// stallAfter bounds how long a reader waits for a store that accepted a request but sends nothing.
var stallAfter = 2 * time.Minute

func init() { shared.Register("s3", open, name) }

// name returns an address with only its bucket and path.
func name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "s3://…"
	}
	return (&url.URL{Scheme: "s3", Host: u.Host, Path: u.Path}).String()
}

// bucket is the place of a baseline in a bucket.
type bucket struct {
	name    string
	client  *minio.Core
	bucket  string
	prefix  string // ends in a slash, or empty
	head    head
	etag    string // of the head that was read
	objects map[string]object
}

func open(ctx context.Context, address string) (shared.Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, &shared.StoreError{Address: name(address), Err: errors.New("this is no address of a bucket"), Hint: "it looks like s3://BUCKET/PREFIX; endpoint, region and credentials come from the environment, as those of the AWS tools"}
	}
	b := &bucket{name: name(address), bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	if b.prefix != "" {
		b.prefix += "/"
	}
	b.client, err = connect()
	if err != nil {
		return nil, b.refuse(err, "AWS_ENDPOINT_URL looks like https://HOST:PORT")
	}
	return b, nil
}

// connect reads endpoint, region and credentials where the AWS tools do.
func connect() (*minio.Core, error) {
	region := first("AWS_REGION", "AWS_DEFAULT_REGION")
	endpoint := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	if text := first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"); text != "" {
		var err error
		if endpoint, err = url.Parse(text); err != nil || endpoint.Host == "" || strings.Trim(endpoint.Path, "/") != "" {
			return nil, errors.New("the endpoint cannot be read")
		}
	}
	if region == "" && endpoint.Host != "s3.amazonaws.com" {
		region = "us-east-1" // otherwise each program would ask where the bucket is
	}
	return minio.NewCore(endpoint.Host, &minio.Options{
		Secure: endpoint.Scheme == "https", Region: region, MaxRetries: 4,
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
	})
}

// first returns the value of the first variable that is set.
func first(names ...string) string {
	for _, n := range names {
		if v := os.Getenv(n); v != "" {
			return v
		}
	}
	return ""
}

func (b *bucket) ChunkSize() int { return chunkSize }
func (b *bucket) Close() error   { return nil }

// Lock does nothing: the condition of the commit decides.
func (b *bucket) Lock(context.Context) error { return nil }

func (b *bucket) refuse(err error, hint string) error {
	return &shared.StoreError{Address: b.name, Err: err, Hint: hint}
}

// hints maps error codes to hints for the user.
var hints = map[string]string{
	"NoSuchBucket":                 "make the bucket, or check its name and AWS_ENDPOINT_URL",
	"AccessDenied":                 "these credentials lack the right, or there are none: check AWS_PROFILE, AWS_ACCESS_KEY_ID and the policy of the bucket",
	"InvalidAccessKeyId":           "check AWS_ACCESS_KEY_ID, AWS_PROFILE and AWS_ENDPOINT_URL",
	"SignatureDoesNotMatch":        "check AWS_SECRET_ACCESS_KEY",
	"PermanentRedirect":            "the bucket is in another region: set AWS_REGION",
	"AuthorizationHeaderMalformed": "the bucket is in another region: set AWS_REGION",
	"NotImplemented":               "this store lacks conditional writes, without which two writers would lose changes: use another",
	"QuotaExceeded":                "make room in the bucket; nothing was changed",
	"XMinioStorageFull":            "make room in the store; nothing was changed",
	"RequestTimeTooSkewed":         "set the clock of this machine, or that of the store: they differ by more than the store accepts",
	"ExpiredToken":                 "these credentials have expired: log in again, or renew AWS_SESSION_TOKEN",
	"SlowDown":                     "the store is busy: run it again later, or fewer scans at a time",
	"ServiceUnavailable":           "the store is busy: run it again later, or fewer scans at a time",
}

// told adds a hint to an error of the store.
func (b *bucket) told(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if e := minio.ToErrorResponse(err); e.Code != "" {
		return b.refuse(fmt.Errorf("%s (%s)", strings.TrimSpace(e.Message), e.Code), hints[e.Code])
	}
	return b.refuse(errors.New(strings.Join(strings.Fields(err.Error()), " ")), "check AWS_ENDPOINT_URL and the network, and run it again")
}

// is reports whether the store answered with one of these codes.
func is(err error, codes ...string) bool {
	return slices.Contains(codes, minio.ToErrorResponse(err).Code)
}
