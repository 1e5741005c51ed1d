module tocsin.example/go-dialects

go 1.21

require (
	github.com/PagerDuty/go-pagerduty v1.8.0
	github.com/opsgenie/opsgenie-go-sdk-v2 v1.2.23
)

require (
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.0 // indirect
	github.com/hashicorp/go-retryablehttp v0.5.1 // indirect
	github.com/pkg/errors v0.8.1 // indirect
	github.com/sirupsen/logrus v1.9.3 // indirect
	golang.org/x/sys v0.15.0 // indirect
)
