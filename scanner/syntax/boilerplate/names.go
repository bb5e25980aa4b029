package boilerplate

import (
	"slices"
	"strings"
	"sync"
)

// table lists the helpers of each tool. The names are those of the packages in which the tools publish their helpers:
// @babel/runtime and babel-runtime 6 to 7.26, tslib 1 and 2, @swc/helpers 0.3 and 0.5. The names of @swc/helpers differ from
// Babel's by underscores only. Bundlers have no such package; their names are from their output.
var table = []struct{ tool, names string }{
	{"TypeScript", `__addDisposableResource __assign __asyncDelegator __asyncGenerator __asyncValues __await __awaiter __classPrivateFieldGet
		__classPrivateFieldIn __classPrivateFieldSet __createBinding __decorate __disposeResources __esDecorate __export __exportStar __extends
		__generator __importDefault __importStar __makeTemplateObject __metadata __param __propKey __read __rest __rewriteRelativeImportExtension
		__runInitializers __setFunctionName __setModuleDefault __spread __spreadArray __spreadArrays __values extendStatics`},
	{"esbuild", `__accessCheck __async __commonJS __copyProps __decorateClass __defNormalProp __defProp __defProps __esm __exportValue __forAwait
		__getOwnPropDesc __getOwnPropDescs __getOwnPropNames __getOwnPropSymbols __getProtoOf __hasOwnProp __markAsModule __objRest __privateAdd
		__privateGet __privateMethod __privateSet __privateWrapper __propIsEnum __publicField __reExport __require __restKey __spreadProps
		__spreadValues __superGet __template __toBinary __toCommonJS __toESM __toModule __yieldStar`},
	{"webpack", `__webpack_require__ __webpack_module_cache__ webpackUniversalModuleDefinition
		webpackJsonpCallback checkDeferredModules`},
	{"Rollup", `_interopDefault _interopDefaultLegacy _interopDefaultCompat _interopNamespace _interopNamespaceCompat _interopNamespaceDefault _interopNamespaceDefaultOnly
		_mergeNamespaces getDefaultExportFromCjs getDefaultExportFromNamespaceIfPresent getAugmentedNamespace createCommonjsModule commonjsGlobal
		commonjsRequire commonjsRegister`},
	{"Babel", `_AwaitValue _AsyncGenerator _AsyncIterator _OverloadYield _applyDecoratedDescriptor _applyDecs _applyDecs2203 _applyDecs2203R
		_applyDecs2301 _applyDecs2305 _applyDecs2311 _applyDecs2203Factory _applyDecs2203RFactory _applyDecs2301Factory _arrayLikeToArray
		_arrayWithHoles _arrayWithoutHoles _assertClassBrand _assertThisInitialized _asyncGenerator _asyncGeneratorDelegate _asyncGeneratorStep
		_asyncIterator _asyncToGenerator _awaitAsyncGenerator _callSuper _checkInRHS _checkPrivateRedeclaration _classApplyDescriptorDestructure
		_classApplyDescriptorDestructureSet _classApplyDescriptorGet _classApplyDescriptorSet _classApplyDescriptorUpdate _classCallCheck
		_classCheckPrivateStaticAccess _classCheckPrivateStaticFieldDescriptor _classExtractFieldDescriptor _classNameTDZError _classPrivateFieldBase
		_classPrivateFieldDestructure _classPrivateFieldDestructureSet _classPrivateFieldGet _classPrivateFieldInit _classPrivateFieldInitSpec
		_classPrivateFieldKey _classPrivateFieldLooseBase _classPrivateFieldLooseKey _classPrivateFieldSet _classPrivateFieldUpdate _classPrivateGetter
		_classPrivateMethodGet _classPrivateMethodInit _classPrivateMethodInitSpec _classPrivateMethodSet _classPrivateSetter
		_classStaticPrivateFieldDestructure _classStaticPrivateFieldDestructureSet _classStaticPrivateFieldSpecGet _classStaticPrivateFieldSpecSet
		_classStaticPrivateFieldUpdate _classStaticPrivateMethodGet _classStaticPrivateMethodSet _coalesceClassElements _coalesceGetterSetter
		_construct _createClass _createForOfIteratorHelper _createForOfIteratorHelperLoose _createRawReactElement _createSuper _createSuperInternal
		_decorate _defaults _defineAccessor _defineEnumerableProperties _defineProperties _defineProperty _extends _getDecoratorsApi
		_getPrototypeOf _getRequireWildcardCache _hasDecorators _importDeferProxy _inherits _inheritsLoose _initializerDefineProperty
		_initializerWarningHelper _instanceof _interopRequireDefault _interopRequireWildcard _isNativeFunction _isNativeReflectConstruct
		_iterableToArray _iterableToArrayLimit _iterableToArrayLimitLoose _maybeArrayLike _newArrowCheck _nonIterableRest _nonIterableSpread
		_nullishReceiverError _objectDestructuringEmpty _objectSpread _objectSpreadProps _objectWithoutProperties _objectWithoutPropertiesLoose
		_optionalCallableProperty _possibleConstructorReturn _readOnlyError _regenerator _regeneratorRuntime _setFunctionName _setPrototypeOf
		_skipFirstGeneratorNext _slicedToArray _slicedToArrayLoose _superPropBase _superPropGet _superPropSet _taggedTemplateLiteral
		_taggedTemplateLiteralLoose _tdz _tdzError _temporalRef _temporalUndefined _toArray _toConsumableArray _toPrimitive _toPropertyKey _toSetter
		_typeof _unsupportedIterableToArray _usingCtx _wrapAsyncGenerator _wrapNativeSuper _wrapRegExp _writeOnlyError
		_createDecoratedClass _createDecoratedObject _toConsumableArrayLoose AsyncFromSyncIterator AsyncGenerator AwaitValue asyncGeneratorStep ownKeys
		_ownKeys`},
	// Babel 6 passes its helpers to Rollup without the underscore, so they are in bundles of 2016 to 2018. Names that people also
	// give to their own functions are left out: defineProperty, get, inherits, set, toArray.
	{"Babel", `asyncToGenerator classCallCheck createClass objectWithoutProperties possibleConstructorReturn slicedToArray
		slicedToArrayLoose taggedTemplateLiteral taggedTemplateLiteralLoose toConsumableArray`},
}

// tools maps a folded name to the tool that writes it, or to the first of two.
var tools = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for _, t := range table {
		for name := range strings.FieldsSeq(t.names) {
			if f := fold(name); out[f] == "" {
				out[f] = t.tool
			}
		}
	}
	return out
})

// fold removes the differences between tools and versions from a name: case, underscores except leading ones, and the number that
// a bundler adds if two modules have the same helper ("_typeof$1", "_extends2").
func fold(name string) string {
	name = strings.TrimSuffix(strings.TrimRight(name, "0123456789"), "$")
	rest := strings.TrimLeft(name, "_")
	return name[:len(name)-len(rest)] + strings.ToLower(strings.ReplaceAll(rest, "_", ""))
}

// packages lists the packages in which tools publish their helpers for import.
var packages = []string{"pkg:npm/tslib", "pkg:npm/babel-runtime", "pkg:npm/%40babel/runtime", "pkg:npm/%40babel/runtime-corejs2", "pkg:npm/%40babel/runtime-corejs3",
	"pkg:npm/%40babel/helpers", "pkg:npm/babel-helpers", "pkg:npm/%40swc/helpers",
	"pkg:npm/regenerator-runtime"}

// IsPackage reports whether a package, a URL without version, consists of helpers only.
func IsPackage(pkg string) bool { return slices.Contains(packages, pkg) }
