package lockfile

import (
	"iter"
	"strings"
)

// Pods yields the names and versions in the part PODS of a Podfile.lock, or of the Manifest.lock that CocoaPods writes into Pods. A part
// of a package, such as AFNetworking/Reachability, has the name of the package.
func Pods(data []byte) iter.Seq2[string, string] {
	return func(yield func(name, version string) bool) {
		for line := range podPart(data, "PODS") {
			if entry, ok := strings.CutPrefix(line, "  - "); ok {
				if name, version := podEntry(entry); version != "" && !yield(name, version) {
					return
				}
			}
		}
	}
}

// podEntry reads "Name/Part (1.2.3):", quoted if the name has special characters. The version is "" if it is another text.
func podEntry(entry string) (name, version string) {
	name, version, _ = strings.Cut(strings.Trim(strings.TrimRight(entry, ":"), `"`), " (")
	name, _, _ = strings.Cut(name, "/")
	version, ok := strings.CutSuffix(version, ")")
	if !ok {
		return name, ""
	}
	return name, version
}

// podPart yields the lines of one part: those after its name, as far as they are indented.
func podPart(data []byte, part string) iter.Seq[string] {
	return func(yield func(string) bool) {
		in := false
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if !strings.HasPrefix(line, " ") {
				in = line == part+":"
			} else if in && !yield(line) {
				return
			}
		}
	}
}

// readPodfile reads Podfile.lock of CocoaPods. Its checksums are those of specifications, not of code.
func readPodfile(l *list, data []byte) error {
	l.ends(data)
	if !strings.Contains("\n"+string(data), "\nCOCOAPODS: ") {
		l.cut("no line COCOAPODS, which CocoaPods writes")
	}
	elsewhere := podsElsewhere(data)
	by := ""
	for line := range podPart(data, "PODS") {
		entry, ok := strings.CutPrefix(line, "  - ")
		if !ok {
			name, _ := podEntry(strings.TrimPrefix(strings.TrimSpace(line), "- "))
			l.needs(name, by)
			continue
		}
		name, version := podEntry(entry)
		l.listed[name], by = true, name
		switch from, ok := elsewhere[name]; {
		case ok:
			l.leave(name, from.reason, from.address)
		case version == "":
			l.leave(entry, ReasonName, "")
		default:
			l.pin("cocoapods", name, version, Pin{})
		}
	}
	return nil
}

// podSource is where a Podfile takes a package from that it does not take from a repository of specifications.
type podSource struct{ reason, address string }

// podsElsewhere reads the part EXTERNAL SOURCES: a name, and below it keys with a colon before and after.
func podsElsewhere(data []byte) map[string]podSource {
	out := map[string]podSource{}
	name := ""
	for line := range podPart(data, "EXTERNAL SOURCES") {
		if !strings.HasPrefix(line, "   ") {
			name, _, _ = strings.Cut(strings.Trim(line, ` :"`), "/")
			out[name] = podSource{ReasonAddress, ""}
			continue
		}
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		reasons := map[string]string{":path": ReasonLocal, ":git": ReasonGit, ":podspec": ReasonAddress, ":http": ReasonAddress, ":svn": ReasonAddress, ":hg": ReasonAddress}
		if reason := reasons[key]; reason != "" {
			out[name] = podSource{reason, strings.Trim(value, `"'`)}
		}
	}
	return out
}
