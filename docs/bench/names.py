#!/usr/bin/env python3
"""Second half of names.sh: lists what platforms declare for others to use,
names.py PACKAGES OUT, in a file OUT/PLATFORM.txt each."""
import ast, gzip, os, re, struct, subprocess, sys, xml.etree.ElementTree, zipfile

WORD = re.compile(r'(?<![\w$])[A-Za-z_$][\w$]*')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
PUBLIC, PROTECTED, SYNTHETIC = 1, 4, 0x1000


def files(root, *ends):
    found = []
    for base, _, names in os.walk(root):
        found += [os.path.join(base, n) for n in names if n.endswith(ends or '')]
    if not found:
        sys.exit(f'names.py: nothing in {root}')
    return sorted(found)


def read(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rt', encoding='utf-8', errors='replace') as f:
        return f.read()


def class_file(data):
    """Yields the names a class file declares: its own, its public and protected members'."""
    u2 = lambda at: struct.unpack_from('>H', data, at)[0]
    pool, at, i = {}, 10, 1
    while i < u2(8):
        tag = data[at]
        if tag == 1:
            pool[i] = data[at + 3:at + 3 + u2(at + 1)].decode('utf-8', 'replace')
            at += 3 + u2(at + 1)
        else:
            pool[i] = u2(at + 1)
            at += {5: 9, 6: 9, 7: 3, 8: 3, 15: 4, 16: 3, 19: 3, 20: 3}.get(tag, 5)
        i += 2 if tag in (5, 6) else 1
    name = pool[pool[u2(at + 2)]]
    if u2(at) & SYNTHETIC or not u2(at) & PUBLIC and '__' not in name:  # Kotlin's top-level functions
        return
    yield from WORD.findall(name.replace('$', '/'))
    at += 8 + 2 * u2(at + 6)
    for _ in ('fields', 'methods'):
        members, at = u2(at), at + 2
        for _ in range(members):
            access, name = u2(at), pool[u2(at + 2)]
            attributes, at = u2(at + 6), at + 8
            for _ in range(attributes):
                at += 6 + struct.unpack_from('>I', data, at + 2)[0]
            if access & (PUBLIC | PROTECTED) and not access & SYNTHETIC and '$' not in name and '<' not in name:
                yield name.partition('-')[0]  # Kotlin's mangled names


def jar(path, *packages):
    z = zipfile.ZipFile(path)
    for n in sorted(z.namelist()):
        if n.endswith('.class') and not n.endswith('module-info.class') and n.startswith(packages or ''):
            yield from class_file(z.read(n))


def assembly(data):
    """Yields the names a .NET assembly declares (ECMA-335, II.24): public types', public and protected members'."""
    def num(at, size=4):
        return int.from_bytes(data[at:at + size], 'little')

    root = data.index(b'BSJB')
    at, streams = root + 16 + num(root + 12), {}
    n, at = num(at + 2, 2), at + 4
    for _ in range(n):
        end = data.index(b'\0', at + 8)
        streams[data[at + 8:end]] = root + num(at)
        at = end + 4 - (end - at) % 4
    at = streams[b'#~']
    heaps, valid = data[at + 6], num(at + 8, 8)
    rows, after = {}, at + 24
    for t in range(64):
        if valid >> t & 1:
            rows[t], after = num(after), after + 4
    string, guid, blob = (4 if heaps & bit else 2 for bit in (1, 2, 4))

    def index(bits, *tables):
        return 4 if max(rows.get(t, 0) for t in tables) >= 1 << 16 - bits else 2

    # columns of the tables up to MethodDef; names are the strings' third column
    columns = {0: (2, string, guid, guid, guid), 1: (index(2, 0, 0x1A, 0x23, 1), string, string),
               2: (4, string, string, index(2, 2, 1, 0x1B), index(0, 4), index(0, 6)), 3: (index(0, 4),),
               4: (2, string, blob), 5: (index(0, 6),), 6: (4, 2, 2, string, blob, index(0, 8))}

    def name(at):
        start = streams[b'#Strings'] + num(at, string)
        return data[start:data.index(b'\0', start)].decode('utf-8', 'replace')

    at, tables = after, {}
    for t in sorted(set(columns) & set(rows)):
        tables[t] = at, sum(columns[t])
        at += rows[t] * sum(columns[t])
    public, first = [], []
    base, size = tables[2]
    for r in range(rows[2]):
        at = base + r * size
        public.append(num(at) & 7 in (1, 2))
        first.append((num(at + size - sum(columns[2][4:]), columns[2][4]), num(at + size - columns[2][5], columns[2][5])))
        if public[-1]:
            yield name(at + 4).partition('`')[0]
            yield from name(at + 4 + string).split('.')
    for which, (t, flags, text) in enumerate(((4, 0, 2), (6, 6, 8))):
        base, size = tables[t]
        for r in range(rows[2]):
            end = first[r + 1][which] if r + 1 < rows[2] else rows[t] + 1
            for m in range(first[r][which], end if public[r] else 0):
                at = base + (m - 1) * size
                if num(at + flags, 2) & 7 in (4, 5, 6):
                    yield re.sub(r'^(get|set|add|remove|op)_', '', name(at + text)).rpartition('.')[2]


def header(text):
    """All names of a C header but for those in comments and the implementation's own."""
    text = re.sub(r'"(\\.|[^"\\\n])*"', ' ', COMMENT.sub(' ', text))
    text = re.sub(r'(?m)^\s*#\s*(include|pragma|error|warning).*', ' ', text)
    return (w for w in WORD.findall(text) if w[0] != '_')


DECLARED = re.compile(r'''(?mx)
    \b(?:interface|class|type|enum|namespace|module|function|var|let|const)\s+([A-Za-z_$][\w$]*)
  | ^\s*(?:(?:export|declare|readonly|static|public|protected|abstract|get|set)\s+)*([A-Za-z_$][\w$]*)\??\s*(?=[(:<,=])
  | [{;]\s*(?:readonly\s+)?([A-Za-z_$][\w$]*)\??\s*(?=[:(])''')


def declarations(text):
    return (a or b or c for a, b, c in DECLARED.findall(COMMENT.sub(' ', text)))


def python(text):
    """Modules' and classes' names, and parameters, which callers name too."""
    for n in ast.walk(ast.parse(text)):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield n.name
            yield from (a.arg for a in n.args.posonlyargs + n.args.args + n.args.kwonlyargs)
        elif isinstance(n, ast.ClassDef):
            yield n.name
        elif isinstance(n, (ast.AnnAssign, ast.Assign)):
            targets = n.targets if isinstance(n, ast.Assign) else [n.target]
            yield from (t.id for t in targets if isinstance(t, ast.Name))


def public(names):
    return (n for n in names if n[0] != '_' or n.startswith('__') and n.endswith('__'))


GO_API = re.compile(r'pkg (\S+?)(?: \(\S+\))?, (?:const|var|func|type|method) (?:\(\S+?\) )?(\w+)(?: (?:struct|interface)(?: \{ (.*) \})?(?:, (\w+))?)?')


def go_api(text):
    for package, name, members, member in GO_API.findall(text):
        yield from package.split('/') + [name, member] + re.findall(r'(\w+)(?:,|\(|$)', members)


GO_DECLARED = re.compile(r'(?m)^(?:func (?:\([^)]*\) )?|type |\t|var |const )([A-Z]\w*)')
RUST = re.compile(r'''(?x)
    \#\[(?:rustc_const_)?(?:un)?stable\([^\]]*\)\](?:\s*(?:\#!?\[[^\]]*\]|//[^\n]*))*\s*
    (?:pub(?:\([^)]*\))?\s+)?(?:(?:const|unsafe|async|default|auto|extern\s"[^"]*")\s+)*
    (?:(?:fn|struct|enum|union|trait|mod|type|const|static|macro|macro_rules!)\s+)?([A-Za-z]\w*)''')
RUBY_C = re.compile(r'rb_(?:define|attr|struct_define)\w*\([^"\n]*"([A-Za-z]\w*)')
RUBY = re.compile(r'(?m)^\s*(?:def\s+(?:self\.)?|class\s+|module\s+|attr_\w+\s+:)([A-Za-z]\w*)')
PHP = re.compile(r'(?:function|class|interface|trait|enum|const)\s+&?([A-Za-z]\w*)')
PHP_PARAMETER = re.compile(r'(\$[A-Za-z]\w*)')
PHP_CONST = re.compile(r'REGISTER_\w*CONSTANT\w*\("([A-Za-z]\w*)"')


def matches(pattern, text):
    for m in pattern.finditer(text):
        yield m[m.lastindex]


def properties(names):
    """What getters and setters are called by in Kotlin."""
    return {n[3].lower() + n[4:] for n in names if len(n) > 3 and n[:3] in ('get', 'set')}


def all_of(paths, reader):
    out = set()
    for p in paths:
        out.update(reader(read(p)))
    return out


def stems(paths):
    return {os.path.basename(p).split('.')[0] for p in paths}


def platforms(x):
    java = set()
    for p in files(x + '/deb/openjdk-17-jdk-headless', '.jmod'):
        java.update(jar(p, 'classes/java/', 'classes/javax/', 'classes/org/w3c/', 'classes/org/xml/'))
    for lib in ('junit4', 'libhamcrest-java', 'libslf4j-java', 'libservlet-api-java', 'libwebsocket-api-java', 'libjaxrs-api-java'):
        for p in files(x + '/deb/' + lib + '/usr/share/java', '.jar'):
            if re.search(r'/(junit4|hamcrest-2.2|slf4j-api|servlet-api|websocket-api|jaxrs-api)\.jar$', p) and not os.path.islink(p):
                java.update(jar(p))
    yield 'java', java
    kotlin = set()
    for p in files(x + '/deb/kotlin/usr/share/kotlin/kotlinc/lib', 'kotlin-stdlib.jar'):
        kotlin.update(jar(p))
    yield 'kotlin', kotlin | properties(kotlin | java)
    yield 'android', android(x)
    yield 'scala', set(jar(x + '/deb/scala-library/usr/share/java/scala-library-2.11.12.jar'))
    yield 'dotnet', set().union(*(assembly(open(p, 'rb').read()) for p in files(x + '/deb', '.dll') if not os.path.islink(p)))
    yield 'ecma', all_of([p for p in files(x + '/npm/typescript/package/lib', '.d.ts') if os.path.basename(p).startswith('lib.')], declarations)
    yield 'node', all_of(files(x + '/npm/@types', '.d.ts'), declarations)
    typeshed = files(x + '/npm/pyright/package/dist/typeshed-fallback/stdlib', '.pyi')
    pytest = files(x + '/deb/python3-pytest', '.py')
    yield 'python', set(public(all_of(typeshed + pytest, python) | stems(typeshed)))
    goroot = subprocess.run(['go', 'env', 'GOROOT'], capture_output=True, text=True, check=True).stdout.strip()
    api = [p for p in files(goroot + '/api', '.txt') if re.search(r'/go1(\.([0-9]|1[0-9]|2[0-5]))?\.txt$', p)]  # frozen ones
    modules = [p for d in sorted(os.listdir(x + '/go')) for p in files(os.path.realpath(x + '/go/' + d), '.go') if not re.search(r'_test\.go$|/z[^/]*\.go$|/(internal|testdata|examples|test)/', p)]
    yield 'go', all_of(api, go_api) | all_of(modules, lambda t: matches(GO_DECLARED, t))
    yield 'c', all_of(files(x + '/deb/musl-dev/usr/include'), header)
    yield 'cpp', all_of(files(x + '/deb/libstdc++-11-dev/usr/include'), header)
    win = x + '/deb/mingw-w64-common/usr/share/mingw-w64/include/'
    directx = all_of([win + h + '.h' for h in DIRECTX], header)
    yield 'win32', all_of([win + h + '.h' for h in WIN32], header) | {n for n in directx if MADE_UP.search(n)}
    clib = [p for lib in CLIB for p in files(f'{x}/deb/{lib}/usr/include', '.h') if not os.path.islink(p)]
    glibc = all_of(files(x + '/deb/libc6-dev/usr/include', '.h'), lambda t: PARAMETER.findall(COMMENT.sub(' ', t)))
    manual = all_of(files(x + '/deb/manpages-dev/usr/share/man', '.2.gz', '.3.gz'), examples)
    protocols = all_of(files(x + '/deb/wayland-protocols', '.xml'), wayland)
    yield 'clib', {n for n in all_of(clib, header) | protocols if not PLAIN.fullmatch(n)} | glibc | {n for n in manual if MADE_UP.search(n)}
    gui = [p for lib in ('libglib2.0-dev', 'libgtk-3-dev', 'qtbase5-dev') for p in files(f'{x}/deb/{lib}/usr/include', '.h')]
    yield 'gui', all_of([p for p in gui if not os.path.islink(p) and '/private/' not in p], header)
    rust = [p for lib in ('core', 'alloc', 'std') for p in files(f'{x}/deb/rust-src/usr/src/rustc-1.63.0/library/{lib}/src', '.rs') if not re.search('/(tests|sys|sys_common)/|/tests.rs', p)]
    yield 'rust', all_of(rust, lambda t: matches(RUST, t))
    ruby = x + '/src/ruby3.1/ruby-3.1.2/'
    native = [ruby + n for n in sorted(os.listdir(ruby)) if n.endswith('.c')] + files(ruby + 'ext', '.c')
    yield 'ruby', all_of(native, lambda t: matches(RUBY_C, t)) | all_of(files(ruby + 'lib', '.rb') + files(ruby + 'ext', '.rb'), lambda t: matches(RUBY, t))
    php = [p for p in files(x + '/src/php8.2', '.stub.php', '.c') if '/tests/' not in p]
    psr = [p for d in sorted(os.listdir(x + '/deb')) if d.startswith('php-psr-') for p in files(f'{x}/deb/{d}', '.php')]  # interfaces that anybody's classes implement
    yield 'php', all_of([p for p in php if p.endswith('.php')] + psr, lambda t: matches(PHP, COMMENT.sub(' ', t))) | all_of(psr, lambda t: matches(PHP_PARAMETER, COMMENT.sub(' ', t))) | all_of([p for p in php if p.endswith('.c')], lambda t: matches(PHP_CONST, t))
    yield 'apple', apple(x)
    yield 'foundation', all_of(swift_modules(x, FOUNDATION), swift)
    yield 'lua', all_of(files(x + '/deb/lua-check/usr/share/lua/5.1/luacheck/builtin_standards', 'init.lua'), lambda t: WORD.findall(re.sub(r'--.*', '', t)))


# Linux, and libraries that much C and C++ is written against but seldom carries. Their plain words (left, insert) are everybody's. glibc's prototypes, which
# others copy, have parameters with two underscores; all other names of a C library are musl's.
PLAIN = re.compile('[a-z]+')
PARAMETER = re.compile(r'\b__[a-z]\w*')
CLIB = '''linux-libc-dev libasound2-dev libcap-dev libdbus-1-dev libegl-dev libexpat1-dev libfreetype-dev libfuse3-dev libgl-dev
    libice-dev libjpeg62-turbo-dev liblua5.4-dev libmariadb-dev libmotif-dev libncurses-dev libpam0g-dev libpcap0.8-dev libpng-dev
    libpq-dev libpython3.11-dev libsdl2-dev libsm-dev libsqlite3-dev libssl-dev libudev-dev libusb-1.0-0-dev libvulkan-dev libx11-dev
    libxaw7-dev libxcursor-dev libxext-dev libxfixes-dev libxft-dev libxi-dev libxinerama-dev libxmu-headers libxpm-dev
    libxrandr-dev libxrender-dev libxt-dev libxtst-dev libxxf86vm-dev x11proto-dev
    libxcb1-dev libxcb-composite0-dev libxcb-cursor-dev libxcb-damage0-dev libxcb-dri3-dev libxcb-ewmh-dev libxcb-icccm4-dev
    libxcb-image0-dev libxcb-keysyms1-dev libxcb-present-dev libxcb-randr0-dev libxcb-render0-dev libxcb-shape0-dev libxcb-shm0-dev
    libxcb-sync-dev libxcb-util-dev libxcb-xfixes0-dev libxcb-xinerama0-dev libxcb-xinput-dev libxcb-xkb-dev libxkbcommon-dev
    libwayland-dev libdrm-dev libgbm-dev libinput-dev libcairo2-dev libfontconfig-dev libpango1.0-dev libpulse-dev libopenal-dev
    libglew-dev libglfw3-dev libcppunit-dev libkf5configwidgets-dev libkf5config-dev libkf5coreaddons-dev libkf5crash-dev
    libkf5dbusaddons-dev libkf5i18n-dev libkf5iconthemes-dev libkf5kio-dev libkf5notifications-dev
    libkf5widgetsaddons-dev libkf5windowsystem-dev libkf5xmlgui-dev'''.split()


def wayland(text):
    """The names in the header that wayland-scanner makes of a protocol."""
    for i in xml.etree.ElementTree.fromstring(text).iter('interface'):
        name = i.get('name')
        yield from [name] + [f'{name}_{e}' for e in ('interface', 'listener', 'add_listener', 'destroy', 'set_user_data', 'get_user_data', 'get_version')]
        yield from (f'{name}_{r.get("name")}' for r in i.iter('request'))
        yield from (e.get('name') for e in i.iter('event'))
        for enum in i.iter('enum'):
            yield from (f'{name}_{enum.get("name")}_{e.get("name")}'.upper() for e in enum.iter('entry'))


# Of the manual pages' examples, whose variables programs keep: long_options, option_index. Words of their output are left out.
EXAMPLE = re.compile(r'(?ms)^\.EX\n(.*?)^\.EE')
MADE_UP = re.compile(r'_|[a-z][A-Z]')


def examples(text):
    """All names in the examples of a manual page that declare or call something."""
    for code in EXAMPLE.findall(text):
        code = re.sub(r'\\[&|^]|\\f.|\\m\[.*?\]', '', re.sub(r'(?m)^\.\w.*', '', code).replace('\\e', '\\').replace('\\-', '-'))
        if ';' in code:
            yield from header(code)


# Callbacks of Android's SDK, and constructors of its views: who overrides them mostly keeps the names of their parameters.
CALLBACK = re.compile(r'(?m)^\s+(?:@\w+\s+)*(?:(?:public|protected|abstract|default)\s+)+(?:void|boolean|\w+)\s+on[A-Z]\w*\(([^)]*)\)|^\s+public\s+[A-Z]\w*\((Context context[^)]*)\)')


def android(x):
    """Android's SDK and AndroidX: their bindings for TypeScript, which lack parameters, and parameters in the sources of the SDK."""
    bindings = x + '/npm/@nativescript/types-android/lib/android/'
    names = all_of([bindings + n for n in ('android-platform-21-37-merged.d.ts', 'androidx-32.d.ts')], declarations)
    names = {n for n in names if not re.fullmatch(r'param\d+', n)}
    sources = files(x + '/src/android-platform-frameworks-base/core/java/android', '.java')
    parameters = all_of(sources, lambda t: re.findall(r'(\w+)\s*(?:,|$)', ','.join(a or b for a, b in CALLBACK.findall(COMMENT.sub(' ', t)))))
    return names | properties(names) | parameters


# Words of a selector behind which Swift begins another name: dataTaskWithURL: becomes dataTask(with:).
BEHIND = 'With For From At In By To Of On Using And As Into Via Before After Between Is Was'.split()
CAMEL = re.compile(r'[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+')
SWIFT_WORDS = set('''public open func var let class struct enum protocol typealias case init static mutating override where throws rethrows async inout
    some any extension final convenience required subscript return self Self in is as if else get set nonmutating internal fileprivate private'''.split())


def lowered(name):
    m = re.match(r'[A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z]', name)
    return name[:m.end()].lower() + name[m.end():] if m else name


def swift_names(part):
    """The names that Swift may give to a part of a selector: it drops words that repeat types."""
    yield from (part, lowered(part))
    words = CAMEL.findall(part)
    if ''.join(words) != part:
        return
    for i in range(1, len(words)):
        if words[i] in BEHIND or i >= len(words) - 3:
            yield lowered(''.join(words[:i]))
        if words[i] in BEHIND:
            yield from (lowered(''.join(words[i:j])) for j in range(i + 1, len(words) + 1))


def apple_type(name):
    """C# writes Url for URL, and Swift drops NS."""
    for n in (name, re.sub('Url', 'URL', name), re.sub('Json', 'JSON', name), re.sub('Http', 'HTTP', name), re.sub('Uuid', 'UUID', name), re.sub('Id(?![a-z])', 'ID', name)):
        yield from (n, n.removeprefix('NS'))


def bindings(text):
    """What bindings of Apple's frameworks name: selectors, constants, types, values of enumerations."""
    for selector in re.findall(r'(?:Export|Bind)\s*\(\s*"([^"]+)"', text):
        for part in filter(None, selector.split(':')):
            yield from swift_names(part)
    for constant in re.findall(r'Field\s*\(\s*"([^"]+)"', text):
        words = CAMEL.findall(constant)
        yield constant
        yield from (lowered(''.join(words[i:])) for i in range(1, min(4, len(words) - 1)))
    for name in re.findall(r'Name\s*=\s*"([A-Za-z_]\w*)"', text) + re.findall(r'\b(?:interface|class|enum|struct)\s+([A-Z]\w*)', text):
        yield from apple_type(name)
    for body in re.findall(r'\benum\s+\w+[^{]*\{(.*?)\n\t?\}', text, re.S):
        for value in re.findall(r'(?m)^\s*([A-Z]\w*)', re.sub(r'\[[^\]]*\]', '', COMMENT.sub('', body))):
            yield from (value, lowered(value))


def swift(text):
    """All names in the declarations of a Swift module that others see, labels and types included, and the values of enumerations."""
    text = re.sub(r'"(\\.|[^"\\\n])*"', '', COMMENT.sub('', text))
    for m in re.finditer(r'\b(?:public|open)\b', text):
        depth, end = 0, m.end()
        while end < len(text) and text[end] != '{' and (depth > 0 or text[end] != '\n'):
            depth += (text[end] in '([') - (text[end] in ')]')
            end += 1
        yield from (n for n in WORD.findall(text[m.end():end]) if n not in SWIFT_WORDS)
    for values in re.findall(r'(?m)^\s*case\s+([^\n:{]*)$', text):
        yield from (n for n in WORD.findall(values) if n not in SWIFT_WORDS)


def apple(x):
    """Apple's SDK is not published as text; these are bindings of it, and open programs with the interfaces of its Swift modules."""
    frameworks = [p for p in files(x + '/git/macios/src', '.cs') if re.search(r'/src/([A-Z][A-Za-z]*/)?[^/]*$', p)]
    return all_of(frameworks, bindings) | all_of(swift_modules(x, set(os.listdir(x + '/git')) - {'macios'}), swift)


# Of Apple's modules, those that programs without a window import: they run on Linux too.
FOUNDATION = {'swift-corelibs-foundation', 'swift-foundation', 'swift-corelibs-xctest', 'swift-corelibs-libdispatch'}


def swift_modules(x, repositories):
    return [p for d in sorted(repositories) for p in files(f'{x}/git/{d}', '.swift') if not re.search(r'/(Tests|Benchmarks?|Example[^/]*|[^/]*Demo[^/]*)/', p)]


WIN32 = '''
    accctrl aclapi afunix basetsd bcrypt cfgmgr32 combaseapi dbghelp ddk/hidclass ddk/ntddk ddk/ntifs ddk/wdm debugapi
    devguid dwmapi errhandlingapi evntprov evntrace excpt fileapi guiddef handleapi heapapi hidclass hidpi hidsdi imm
    iphlpapi iptypes libloaderapi lmaccess lmapibuf lmcons lmerr memoryapi minwinbase minwindef mmsystem mswsock
    namedpipeapi nb30 ncrypt netioapi ntdef ntsecapi ntstatus objbase oleauto pdh powrprof processenv processthreadsapi
    processtopologyapi profileapi psapi reason schannel sddl securitybaseapi setupapi shellapi shellscalingapi shlobj
    shlwapi softpub sspi stringapiset subauth synchapi sysinfoapi threadpoolapiset timeapi timezoneapi tlhelp32 usbioctl
    usbiodef userenv utilapiset versionhelpers winbase wincon wincred wincrypt windef windows windowsx winerror wingdi
    winhttp wininet winioctl winnls winnt winreg winsock winsock2 winsvc winternl wintrust winusb winuser winver ws2bth
    ws2def ws2ipdef ws2tcpip wtsapi32 wtypes xinput'''.split()

# Of graphics and sound. Their plain words (Width, index) are everybody's.
DIRECTX = '''
    audioclient d2d1 d3d9 d3d9caps d3d9types d3d10 d3d11 d3d11_1 d3d11_2 d3d11_3 d3d11_4 d3d12 d3d12sdklayers
    d3dcommon d3dcompiler dinput dsound dwrite dxgi dxgi1_2 dxgi1_3 dxgi1_4 dxgi1_5 dxgi1_6 dxgicommon dxgiformat
    dxgitype mmdeviceapi xaudio2'''.split()


def main(x, out):
    os.makedirs(out, exist_ok=True)
    for name, names in platforms(x):
        names = sorted(n for n in names if 2 < len(n) <= 64 and WORD.fullmatch(n))  # shorter ones are everybody's anyway, longer ones not counted
        with open(os.path.join(out, name + '.txt'), 'w') as f:
            f.writelines(n + '\n' for n in names)


main(*sys.argv[1:])
