// Pages a source through the Go clients of PagerDuty and Opsgenie, as their users do, and prints what they read.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/PagerDuty/go-pagerduty"
	"github.com/opsgenie/opsgenie-go-sdk-v2/alert"
	"github.com/opsgenie/opsgenie-go-sdk-v2/client"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(holds bool, what ...any) {
	if !holds {
		must(fmt.Errorf("not as expected: %+v", what))
	}
}

func withPagerduty() string {
	ctx := context.Background()
	events := pagerduty.NewClient("", pagerduty.WithV2EventsAPIEndpoint(os.Getenv("SERVICE_URL")))
	event := pagerduty.V2Event{
		RoutingKey: os.Getenv("PAGERDUTY_KEY"),
		Action:     "trigger",
		Payload:    &pagerduty.V2Payload{Summary: "Disk full", Source: "db-4", Severity: "critical"},
	}
	answer, err := events.ManageEventWithContext(ctx, &event)
	must(err)
	check(answer.Status == "success" && answer.DedupKey != "", answer)
	for _, action := range []string{"acknowledge", "resolve"} {
		event.Action, event.DedupKey, event.Payload = action, answer.DedupKey, nil
		_, err = events.ManageEventWithContext(ctx, &event)
		must(err)
	}
	_, err = events.CreateChangeEventWithContext(ctx, pagerduty.ChangeEvent{
		RoutingKey: event.RoutingKey,
		Payload:    pagerduty.ChangeEventPayload{Summary: "Deployed", Source: "ci"},
	})
	must(err)
	event.RoutingKey = "00000000000000000000000000000000"
	_, err = events.ManageEventWithContext(ctx, &event)
	// The library reads the body of this error as one of another API, whatever it holds.
	refused, isRefused := err.(pagerduty.APIError)
	check(isRefused && refused.StatusCode == 400, err)
	return answer.DedupKey
}

func withOpsgenie() string {
	ctx := context.Background()
	// The library speaks HTTPS only to hosts whose name holds "api". A DNS entry would lead it to the service.
	address := os.Getenv("SERVICE_ADDRESS")
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	alerts, err := alert.NewClient(&client.Config{
		ApiKey:         os.Getenv("OPSGENIE_KEY"),
		OpsGenieAPIURL: "api.localhost",
		HttpClient:     &http.Client{Transport: &http.Transport{DialContext: dial}},
	})
	must(err)
	settled := func(result *alert.AsyncAlertResult, err error) *alert.RequestStatusResult {
		must(err)
		status, err := result.RetrieveStatus(ctx)
		must(err)
		check(status.IsSuccess && status.AlertID != "", status)
		return status
	}
	created := settled(alerts.Create(ctx, &alert.CreateAlertRequest{
		Message: "Disk full", Alias: "disk/db-5", Priority: alert.P2, User: "Ada",
	}))
	settled(alerts.Acknowledge(ctx, &alert.AcknowledgeAlertRequest{
		IdentifierType: alert.ALIAS, IdentifierValue: "disk/db-5", User: "Ada",
	}))
	found, err := alerts.Get(ctx, &alert.GetAlertRequest{IdentifierValue: created.AlertID})
	must(err)
	check(found.Alias == "disk/db-5" && found.Acknowledged && found.Message == "Disk full", found)
	settled(alerts.Close(ctx, &alert.CloseAlertRequest{IdentifierValue: created.AlertID}))
	listed, err := alerts.List(ctx, &alert.ListAlertRequest{Query: "alias: disk/db-5", Limit: 5})
	must(err)
	check(len(listed.Alerts) == 1 && listed.Alerts[0].Status == "closed", listed)
	return created.AlertID
}

func main() {
	printed, err := json.Marshal(map[string]string{"pagerduty": withPagerduty(), "opsgenie": withOpsgenie()})
	must(err)
	fmt.Println(string(printed))
}
