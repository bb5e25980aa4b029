//go:build unix

package main

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestClientGone: the scan of an assistant that is gone ends. The baseline is a server that never answers, so the scan would not end by itself. A
// client that only has no more requests still gets its answers.
func TestClientGone(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a second")
	}
	for name, c := range map[string]struct{ input, output, ends bool }{
		"gone": {true, true, true}, "does not read": {false, true, true}, "no more requests": {true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			server, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			p := exec.Command(os.Args[0], "mcp", "--baseline", "postgres://somebody@"+server.Addr().String()+"/code")
			p.Env, p.Dir = append(os.Environ(), asProgram+"=1"), t.TempDir()
			in, err := p.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			defer p.Process.Kill()
			if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_snippet","arguments":{"code":"package a","file":"a.go"}}}
`)); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			asked, err := server.Accept() // the scan has begun
			if err != nil {
				t.Fatal(err)
			}
			defer asked.Close()
			if c.input {
				in.Close()
			}
			if c.output {
				out.Close()
			}
			ended := make(chan error, 1)
			go func() { ended <- p.Wait() }()
			wait := 20 * time.Second
			if !c.ends {
				wait = time.Second
			}
			select {
			case err := <-ended:
				if !c.ends || err != nil {
					t.Errorf("ended: %v", err)
				}
			case <-time.After(wait):
				if c.ends {
					t.Error("the scan goes on")
				}
			}
		})
	}
}
