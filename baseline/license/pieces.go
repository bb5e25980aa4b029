package license

import (
	"slices"
	"sync"

	"github.com/google/licensecheck"
)

// pieces are sentences of common licences and notices, as licensecheck patterns. Some files have only a few of them,
// because their author shortened or changed the notice.
var pieces = []string{
	"You may obtain a copy of the License at",
	"Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an AS IS BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.",
	"See the License for the specific language governing permissions and limitations under the License",
	"Redistribution and use in source and binary forms, with or without modification, are permitted",
	"Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer",
	"Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution",
	"Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files",
	"without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software",
	"The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software",
	"THE SOFTWARE IS PROVIDED AS IS, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY",
	"Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted",
	"is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE",
	"it under the terms of the GNU __4__ License as published by the Free Software Foundation",
	"You should have received a copy of the GNU __4__ License along with",
}

var pieceScanner = sync.OnceValue(func() *licensecheck.Scanner {
	var ls []licensecheck.License
	for _, text := range pieces {
		ls = append(ls, licensecheck.License{ID: "piece", LRE: text})
	}
	return scanner(ls)
})

// withPieces adds the sentences that are outside the spans.
func withPieces(text []byte, spans []Span) []Span {
	if !mentionsLicence(text) {
		return spans
	}
	for _, m := range pieceScanner().Scan(text).Match {
		if !slices.ContainsFunc(spans, func(s Span) bool { return s.From < m.End && m.Start < s.To }) {
			spans = append(spans, Span{m.Start, m.End})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	return spans
}
