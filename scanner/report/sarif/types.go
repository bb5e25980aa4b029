package sarif

// The part of SARIF 2.1.0 that a report uses. Fields that are always written have no omitempty: the first rule has
// index 0, and an empty list of results says that the tool ran.

type document struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool               tool                `json:"tool"`
	AutomationDetails  identity            `json:"automationDetails"`
	ColumnKind         string              `json:"columnKind"`
	DefaultEncoding    string              `json:"defaultEncoding"`
	Language           string              `json:"language"`
	NewlineSequences   []string            `json:"newlineSequences"`
	OriginalURIBaseIDs map[string]artifact `json:"originalUriBaseIds"`
	Invocations        []invocation        `json:"invocations"`
	Results            []result            `json:"results"`
	Properties         properties          `json:"properties"`
}

type identity struct {
	ID string `json:"id"`
}

type properties map[string]any

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name            string       `json:"name"`
	FullName        string       `json:"fullName"`
	InformationURI  string       `json:"informationUri"`
	Version         string       `json:"version"`
	SemanticVersion string       `json:"semanticVersion,omitempty"`
	Language        string       `json:"language"`
	Contents        []string     `json:"contents"`
	IsComprehensive bool         `json:"isComprehensive"`
	Rules           []descriptor `json:"rules"`
}

type descriptor struct {
	ID                   string     `json:"id"`
	Name                 string     `json:"name"`
	ShortDescription     message    `json:"shortDescription"`
	FullDescription      message    `json:"fullDescription"`
	Help                 message    `json:"help"`
	HelpURI              string     `json:"helpUri"`
	DefaultConfiguration config     `json:"defaultConfiguration"`
	Properties           properties `json:"properties"`
}

type config struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type artifact struct {
	URI         string   `json:"uri,omitempty"`
	URIBaseID   string   `json:"uriBaseId,omitempty"`
	Description *message `json:"description,omitempty"`
}

type invocation struct {
	ExecutionSuccessful bool           `json:"executionSuccessful"`
	Notifications       []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

type result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Kind                string            `json:"kind"`
	Level               string            `json:"level"`
	Message             message           `json:"message"`
	Locations           []location        `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Rank                float64           `json:"rank"`
	Properties          properties        `json:"properties"`
}

type location struct {
	PhysicalLocation physical  `json:"physicalLocation"`
	LogicalLocations []logical `json:"logicalLocations,omitempty"`
}

type physical struct {
	ArtifactLocation artifact `json:"artifactLocation"`
	Region           region   `json:"region"`
}

type logical struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type region struct {
	StartLine      int    `json:"startLine"`
	StartColumn    int    `json:"startColumn,omitempty"`
	EndLine        int    `json:"endLine"`
	EndColumn      int    `json:"endColumn,omitempty"`
	SourceLanguage string `json:"sourceLanguage,omitempty"`
}
