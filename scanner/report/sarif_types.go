package report

// The part of SARIF 2.1.0 that a report uses. Fields that are always written have
// no omitempty: a rule's index is 0 for the first, and an empty list of results says
// that the tool ran.

type sarifDocument struct {
	Schema  string         `json:"$schema"`
	Version string         `json:"version"`
	Runs    []sarifRunNode `json:"runs"`
}

type sarifRunNode struct {
	Tool               sarifTool                `json:"tool"`
	AutomationDetails  sarifID                  `json:"automationDetails"`
	ColumnKind         string                   `json:"columnKind"`
	DefaultEncoding    string                   `json:"defaultEncoding"`
	Language           string                   `json:"language"`
	NewlineSequences   []string                 `json:"newlineSequences"`
	OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
	Invocations        []sarifInvocation        `json:"invocations"`
	Results            []sarifResult            `json:"results"`
	Properties         sarifProperties          `json:"properties"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifProperties map[string]any

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string            `json:"name"`
	FullName        string            `json:"fullName"`
	InformationURI  string            `json:"informationUri"`
	Version         string            `json:"version"`
	SemanticVersion string            `json:"semanticVersion,omitempty"`
	Language        string            `json:"language"`
	Contents        []string          `json:"contents"`
	IsComprehensive bool              `json:"isComprehensive"`
	Rules           []sarifDescriptor `json:"rules"`
}

type sarifDescriptor struct {
	ID                   string          `json:"id"`
	Name                 string          `json:"name"`
	ShortDescription     sarifMessage    `json:"shortDescription"`
	FullDescription      sarifMessage    `json:"fullDescription"`
	Help                 sarifMessage    `json:"help"`
	HelpURI              string          `json:"helpUri"`
	DefaultConfiguration sarifConfig     `json:"defaultConfiguration"`
	Properties           sarifProperties `json:"properties"`
}

type sarifConfig struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifArtifact struct {
	URI         string        `json:"uri,omitempty"`
	URIBaseID   string        `json:"uriBaseId,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Kind                string            `json:"kind"`
	Level               string            `json:"level"`
	Message             sarifMessage      `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Rank                float64           `json:"rank"`
	Properties          sarifProperties   `json:"properties"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical  `json:"physicalLocation"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
}

type sarifLogical struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type sarifRegion struct {
	StartLine      int    `json:"startLine"`
	StartColumn    int    `json:"startColumn,omitempty"`
	EndLine        int    `json:"endLine"`
	EndColumn      int    `json:"endColumn,omitempty"`
	SourceLanguage string `json:"sourceLanguage,omitempty"`
}
