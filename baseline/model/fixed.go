package model

import (
	"bytes"
	"hash/crc32"
	"hash/crc64"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// FixedName reports whether the calendar or a standard fixes a name. A table of weekdays or of colours has the same names in
// independent code. Case and word separators are ignored.
func FixedName(text []byte) bool {
	if len(text) <= 2 {
		return false
	}
	var room [maxFixed]byte
	name, f := joined(room[:0], text), fixedWords()
	if f.names[string(name)] {
		return true
	}
	for _, before := range beforeStatus {
		if rest, ok := bytes.CutPrefix(name, before); ok && f.status[string(rest)] {
			return true
		}
	}
	return false
}

// beforeStatus lists how names of HTTP's reasons begin, the longest first: HTTP_STATUS_GONE, StatusGone, SC_GONE.
var beforeStatus = [][]byte{[]byte("httpstatuscode"), []byte("httpstatus"), []byte("statuscode"), []byte("status"), []byte("http"), []byte("sc")}

// FixedValue is FixedName for a literal. Protocols and digests fix more literals than names, certificates are the same wherever they are
// trusted, and so are the characters that JSON and C escape. Quotes are ignored.
func FixedValue(text []byte) bool {
	if isCertificate(text) || isEscape(text) {
		return true
	}
	if len(text) == 0 || len(text) > maxFixed {
		return false
	}
	if c := text[0]; c >= '0' && c <= '9' {
		n, err := strconv.ParseUint(string(bytes.TrimRight(text, "uUlL")), 0, 64)
		if n <= math.MaxUint16 {
			return err == nil && (n == 0 || slices.Contains(days, n))
		}
		return err == nil && (n <= math.MaxUint32 && isAES(uint32(n)) || fixedNumbers()[n])
	}
	var room [maxFixed]byte
	return fixedWords().values[string(joined(room[:0], text))]
}

// Reserved reports whether a string is a word that a language reserves, in small letters: "Import" is the label of a menu.
func Reserved(text []byte) bool {
	word := bytes.Trim(text, "\"'`")
	if len(word) < len(text) && len(word) > 0 && 'a' <= word[0] && word[0] <= 'z' {
		var room [maxFixed]byte
		return fixedWords().reserved[string(joined(room[:0], word))]
	}
	return false
}

// certificateLine is the length of a line of a certificate (RFC 7468).
const certificateLine = 64

// isCertificate reports whether a literal is a certificate, or a line of one.
func isCertificate(text []byte) bool {
	if bytes.Contains(text, []byte("-----BEGIN CERTIFICATE-----")) {
		return true
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(bytes.Trim(text, "\"'`"), []byte(`\n`)), []byte(`\r`))
	if len(line) != certificateLine {
		return false
	}
	hex := true // a digest is no certificate
	for _, c := range line {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && !('0' <= c && c <= '9') && c != '+' && c != '/' {
			return false
		}
		hex = hex && (!letter || c|0x20 <= 'f') && c != '+' && c != '/'
	}
	return !hex
}

// escaped lists what stands after a backslash where JSON, C and its descendants escape one character.
const escaped = "abefnrstv0/\\\"'`"

// isEscape reports whether a literal is one escape, or the text of one: '\n', "\\n", "\\\"".
func isEscape(text []byte) bool {
	n := len(text)
	if n < 4 || text[n-1] != text[0] || strings.IndexByte("\"'`", text[0]) < 0 {
		return false
	}
	behind := bytes.TrimLeft(text[1:n-1], "\\")
	return len(behind) < n-2 && (len(behind) == 0 || len(behind) == 1 && strings.IndexByte(escaped, behind[0]) >= 0)
}

// maxFixed is the most bytes of a text that is looked up: the longest is an alphabet.
const maxFixed = 80

// joined appends a word in small letters, without quotes and separators. It appends nothing if the word is too long.
func joined(dst, word []byte) []byte {
	if len(word) > maxFixed {
		return dst
	}
	for _, c := range word {
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case strings.IndexByte("\"'` _-#,\n\t", c) >= 0:
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// fixed holds the words that standards fix, in joined form.
type fixed struct {
	names, values map[string]bool // values includes the names
	status        map[string]bool // reasons of HTTP; those of several words are also names
	reserved      map[string]bool // words of languages
}

var fixedWords = sync.OnceValue(func() fixed {
	f := fixed{names: make(map[string]bool), status: make(map[string]bool), reserved: make(map[string]bool)}
	for w := range strings.SplitSeq(calendar, ";") {
		f.names[w] = true
	}
	for _, w := range strings.Fields(colours + " " + identification) {
		f.names[w] = true
	}
	for w := range strings.SplitSeq(status, ";") {
		reason := string(joined(nil, []byte(w)))
		f.status[reason] = true
		if len(strings.Fields(w)) > 1 {
			f.names[reason] = true
		}
	}
	f.values = maps.Clone(f.names)
	for w := range strings.SplitSeq(status+";"+texts, ";") {
		f.values[string(joined(nil, []byte(w)))] = true
	}
	for _, w := range strings.Fields(keywords) {
		f.reserved[w] = true
	}
	for _, w := range strings.Fields(svg + html + schema) {
		f.values[string(joined(nil, []byte(w)))] = true
	}
	return f
})

// fixedNumbers returns the fixed numbers of more than 16 bits, at the first look-up of such a number. Among smaller numbers,
// only 0 and days are fixed.
var fixedNumbers = sync.OnceValue(func() map[uint64]bool {
	out := make(map[uint64]bool)
	for i, w := range strings.Fields(colours) { // colours lists a name, then its value
		if n, err := strconv.ParseUint(w, 16, 32); i%2 == 1 && err == nil && n > math.MaxUint16 {
			out[n] = true
		}
	}
	for _, n := range days {
		out[n] = true
	}
	for _, p := range []uint32{crc32.IEEE, crc32.Castagnoli, crc32.Koopman} {
		for _, n := range crc32.MakeTable(p) {
			out[uint64(n)] = true
		}
	}
	for _, p := range []uint64{crc64.ISO, crc64.ECMA} {
		for _, n := range crc64.MakeTable(p) {
			out[n] = true
		}
	}
	digests(out)
	keccak(out)
	return out
})

// digests adds the constants of MD5, SHA-1 and SHA-2, as their standards define them: sines, and the first 64 bits of the
// fractions of roots of the first primes.
func digests(out map[uint64]bool) {
	for i := range 64 {
		out[uint64(math.Abs(math.Sin(float64(i+1)))*(1<<32))] = true
	}
	for _, n := range []uint64{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6} {
		out[n] = true
	}
	var primes []int64
	for p := int64(2); len(primes) < 80; p++ {
		if slices.ContainsFunc(primes, func(q int64) bool { return p%q == 0 }) {
			continue
		}
		primes = append(primes, p)
		square := new(big.Int).Sqrt(new(big.Int).Lsh(big.NewInt(p), 2*64))
		for _, root := range []*big.Int{square, cubeRoot(p)} {
			n := new(big.Int).And(root, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
			out[n], out[n>>32], out[n&math.MaxUint32] = true, true, true
		}
	}
}

// cubeRoot returns the cube root of p times 2 to the 64th, rounded down. It uses Newton's method, starting with the root as
// a float.
func cubeRoot(p int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(p), 3*64)
	x, _ := new(big.Float).SetMantExp(big.NewFloat(math.Cbrt(float64(p))), 64).Int(nil)
	cube := func(x *big.Int) *big.Int { return new(big.Int).Exp(x, big.NewInt(3), nil) }
	for range 2 { // each step doubles the number of right bits
		quotient := new(big.Int).Div(n, new(big.Int).Mul(x, x))
		x.Div(quotient.Add(quotient, new(big.Int).Lsh(x, 1)), big.NewInt(3))
	}
	for one := big.NewInt(1); cube(x).Cmp(n) > 0; {
		x.Sub(x, one)
	}
	return x
}

// days lists the lengths of months and years, the days before each month, and seconds of an hour, a day and a week.
var days = []uint64{28, 29, 30, 31, 59, 60, 90, 91, 120, 121, 151, 152, 181, 182, 212, 213, 243, 244, 273, 274, 304, 305, 334, 335, 365, 366, 1461, 36524, 146097,
	3600, 86400, 604800}

// calendar has the names of weekdays and months.
const calendar = "monday;tuesday;wednesday;thursday;friday;saturday;sunday;mon;tue;tues;wed;thu;thur;thurs;fri;sat;sun;mo;tu;we;th;fr;sa;su;" +
	"january;february;march;april;may;june;july;august;september;october;november;december;jan;feb;mar;apr;jun;jul;aug;sep;sept;oct;nov;dec;am;pm"

// identification has the names under which C keeps the lines that SCCS and RCS write, and notices.
const identification = "sccsid rcsid cvsid fbsdid kernelrcsid idstring copyright"

// texts has alphabets, POSIX's classes of characters, HTTP's methods, and the names of control characters and Greek letters.
const texts = "0123456789;0123456789abcdef;abcdefghijklmnopqrstuvwxyz;abcdefghijklmnopqrstuvwxyz0123456789;" +
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz;abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789;" +
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789+/;abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789+/=;" +
	"abcdefghijklmnopqrstuvwxyz234567;0123456789abcdefghijklmnopqrstuv;" +
	"alnum;alpha;blank;cntrl;digit;graph;lower;print;punct;space;upper;word;xdigit;" +
	"get;head;post;put;patch;delete;connect;options;trace;" +
	"nul;soh;stx;etx;eot;enq;ack;bel;bs;ht;lf;vt;ff;cr;so;si;dle;dc1;dc2;dc3;dc4;nak;syn;etb;can;em;sub;esc;fs;gs;rs;us;del;" +
	"alpha;beta;gamma;delta;epsilon;zeta;eta;theta;iota;kappa;lambda;mu;nu;xi;omicron;pi;rho;sigma;tau;upsilon;phi;chi;psi;omega"

// status has the reasons that HTTP gives (RFC 9110 and others).
const status = `
	accepted; already reported; bad gateway; bad request; conflict; continue; created; early hints; expectation failed; failed dependency;
	forbidden; found; gateway timeout; gone; http version not supported; i'm a teapot; im used; insufficient storage; internal server error;
	length required; locked; loop detected; method not allowed; misdirected request; moved permanently; multi-status; multiple choices;
	network authentication required; no content; non-authoritative information; not acceptable; not extended; not found; not implemented; not
	modified; ok; partial content; payment required; permanent redirect; precondition failed; precondition required; processing; proxy
	authentication required; request entity too large; request header fields too large; request timeout; request uri too long; requested
	range not satisfiable; reset content; see other; service unavailable; switching protocols; temporary redirect; too early; too many
	requests; unauthorized; unavailable for legal reasons; unprocessable entity; unsupported media type; upgrade required; use proxy; variant
	also negotiates
`

// keywords has the words that the languages with a front-end reserve: compilers and highlighters list them.
const keywords = `
	abstract alias alignas alignof and andeq arguments array as asm assert associatedtype async auto await begin bitand bitor bool boolean
	break byte callable case catch chan char char16t char32t checked class clone coawait companion compl complex concept const constcast
	constexpr continue coreturn coyield crate debugger decimal declare decltype def default defer defined? deinit del delegate delete do
	double dyn dynamiccast echo elif else elsif end enddeclare endfor endforeach endif endswitch endwhile ensure enum eval except exit
	explicit export extends extension extern fallthrough false fileprivate final finally fixed float fn for foreach friend from fun func
	function get global go goto guard if impl implements implicit import in include includeonce init inline inner inout instanceof
	insteadof int interface internal is isset keyof lambda lateinit let lock long loop map match mod module move mut mutable namespace
	native never new next nil noexcept none nonlocal not noteq null nullptr object of operator or oreq out override package params pass
	private protected protocol pub public raise range readonly redo ref register reinterpretcast repeat require requireonce requires
	rescue restrict rethrows retry return sbyte sealed select self set short signed sizeof stackalloc static staticassert staticcast
	strictfp string struct subscript super suspend switch synchronized tailrec template then this threadlocal throw throws trait transient
	true try type typealias typedef typeid typename typeof uint ulong unchecked undef undefined union unknown unless unsafe unset unsigned
	unsized until use ushort using val var vararg virtual void volatile wchart when where while with xor xoreq yield
`

// svg has the names of elements, attributes and keywords of SVG.
const svg = `
	accent-height accumulate additive alignment-baseline amplitude animate animateMotion animateTransform arabic-form ascent attributeName
	attributeType auto-start-reverse azimuth baseFrequency baseline-shift baseProfile bbox bevel bias butt calcMode cap-height circle
	clip-path clip-rule clipPath clipPathUnits color-interpolation color-interpolation-filters color-profile color-rendering currentColor cx
	cy defs desc diffuseConstant divisor dominant-baseline dur dx dy edgeMode elevation ellipse evenodd exponent feBlend feColorMatrix
	feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
	feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
	feTurbulence fill fill-opacity fill-rule filter filterRes filterUnits flood-color flood-opacity font-family font-size font-size-adjust
	font-stretch font-style font-variant font-weight foreignObject fx fy glyph-orientation-horizontal glyph-orientation-vertical glyphRef
	gradientTransform gradientUnits horiz-adv-x ideographic image-rendering in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints
	keySplines keyTimes lengthAdjust letter-spacing lighting-color limitingConeAngle line linearGradient marker marker-end marker-mid
	marker-start markerHeight markerUnits markerWidth mask maskContentUnits maskUnits metadata miter mpath nonzero numOctaves
	objectBoundingBox orient overline-position overline-thickness paint-order panose-1 path pathLength pattern patternContentUnits
	patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ polygon polyline preserveAlpha preserveAspectRatio
	primitiveUnits radialGradient rect refX refY rendering-intent repeatCount repeatDur requiredExtensions requiredFeatures rx ry
	shape-rendering specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles stop stop-color stop-opacity
	strikethrough-position strikethrough-thickness stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
	stroke-miterlimit stroke-opacity stroke-width surfaceScale svg symbol systemLanguage tableValues targetX targetY text-anchor
	text-decoration text-rendering textLength textPath transform transform-origin tref tspan underline-position underline-thickness
	unicode-bidi unicode-range units-per-em use userSpaceOnUse v-alphabetic v-hanging v-ideographic v-mathematical vector-effect viewBox
	viewTarget word-spacing writing-mode x-height x1 x2 xChannelSelector xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show
	xlink:title xlink:type xMidYMid xMinYMin xml:base xml:lang xml:space xmlns xmlns:xlink y1 y2 yChannelSelector zoomAndPan
	http://www.w3.org/2000/svg http://www.w3.org/1999/xlink http://www.w3.org/1999/xhtml http://www.w3.org/xml/1998/namespace
`

// html has the names of elements and attributes of HTML and WAI-ARIA that are not English words.
const html = `
	accept-charset accesskey allowfullscreen aria-activedescendant aria-atomic aria-autocomplete aria-busy aria-checked aria-colcount
	aria-colindex aria-colspan aria-controls aria-current aria-describedby aria-details aria-disabled aria-errormessage aria-expanded
	aria-flowto aria-haspopup aria-hidden aria-invalid aria-keyshortcuts aria-label aria-labelledby aria-level aria-live aria-modal
	aria-multiline aria-multiselectable aria-orientation aria-owns aria-placeholder aria-posinset aria-pressed aria-readonly aria-relevant
	aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowspan aria-selected aria-setsize aria-sort aria-valuemax
	aria-valuemin aria-valuenow aria-valuetext autocapitalize autocomplete autofocus cellpadding cellspacing colgroup colspan
	contenteditable crossorigin datalist datetime enctype enterkeyhint fieldset figcaption formaction formenctype formmethod formnovalidate
	formtarget frameborder hgroup href hreflang http-equiv inputmode ismap itemid itemprop itemref itemscope itemtype maxlength minlength
	nomodule nonce noscript novalidate optgroup playsinline radiogroup referrerpolicy rowspan spellcheck srcdoc srclang srcset tabindex
	tbody textarea tfoot thead usemap wbr
`

// schema has the keywords and types of JSON Schema, which OpenAPI has too.
const schema = `
	$anchor $comment $defs $dynamicAnchor $dynamicRef $id $ref $schema $vocabulary additionalItems additionalProperties allOf anyOf array boolean
	const contains contentEncoding contentMediaType contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated
	description discriminator else enum examples exclusiveMaximum exclusiveMinimum format if integer items maxContains maximum maxItems maxLength
	maxProperties minContains minimum minItems minLength minProperties multipleOf not null nullable number object oneOf pattern patternProperties
	prefixItems properties propertyNames readOnly required string then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly
`

// colours has the colours of CSS, each with its value.
const colours = `
	aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond
	ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50
	cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9
	darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred
	8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
	darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0
	forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow
	adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush
	fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray
	d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray
	778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon
	800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee
	mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin
	ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6
	palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink
	ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513
	salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray
	708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise
	40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
`
