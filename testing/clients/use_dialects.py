"""Pages a source through the clients of PagerDuty and Opsgenie, as their users do, and prints what they read."""

import json
import os

import opsgenie_sdk
import pagerduty
import pdpyras

URL = os.environ["SERVICE_URL"]
CERTIFICATE = os.environ["CERTIFICATE"]
PAGERDUTY_KEY = os.environ["PAGERDUTY_KEY"]
OPSGENIE_KEY = os.environ["OPSGENIE_KEY"]


def with_pagerduty() -> str:
    client = pagerduty.EventsApiV2Client(PAGERDUTY_KEY, base_url=URL)
    key = client.trigger("Disk full", "db-1", custom_details={"used": "98 %"})
    assert client.trigger("Disk still full", "db-1", dedup_key=key) == key
    assert client.acknowledge(key) == key
    assert client.resolve(key) == key
    # This version of the library fails to make a time of its own.
    client.submit("Deployed", "ci", custom_details={"commit": "1a2b3c"}, timestamp="2026-11-23T01:00:00Z")
    wrong = pagerduty.EventsApiV2Client("0" * 32, base_url=URL)
    try:
        wrong.trigger("Disk full", "db-1")
    except pagerduty.Error as error:
        assert error.response is not None and error.response.status_code == 400, error
        assert "routing_key is not known here" in error.response.text, error.response.text
    else:
        raise AssertionError("a key that nobody has was accepted")
    return key


def with_pdpyras() -> str:
    session = pdpyras.EventsAPISession(PAGERDUTY_KEY)
    session.url = URL
    session.verify = CERTIFICATE
    key = session.trigger("Disk full", "db-2", severity="error")
    assert session.acknowledge(key) == key
    assert session.resolve(key) == key
    changes = pdpyras.ChangeEventsAPISession(PAGERDUTY_KEY)
    changes.url = URL
    changes.verify = CERTIFICATE
    changes.submit("Deployed", "ci")
    return key


def with_opsgenie() -> dict[str, object]:
    configuration = opsgenie_sdk.Configuration()
    configuration.host = URL
    configuration.ssl_ca_cert = CERTIFICATE
    configuration.api_key["Authorization"] = OPSGENIE_KEY
    alerts = opsgenie_sdk.AlertApi(opsgenie_sdk.ApiClient(configuration))
    created = alerts.create_alert(
        opsgenie_sdk.CreateAlertPayload(message="Disk full", alias="disk/db 3", priority="P1", tags=["prod"])
    )
    status = created.retrieve_result().data
    assert status.is_success and status.status == "Created alert" and status.alias == "disk/db 3", status
    by_alias = {"identifier_type": "alias"}
    note = opsgenie_sdk.AddNoteToAlertPayload(note="On it", user="Ada")
    alerts.add_note("disk/db 3", note, **by_alias).retrieve_result()
    message = opsgenie_sdk.UpdateAlertMessagePayload(message="Disk nearly full")
    alerts.update_alert_message("disk/db 3", message, **by_alias).retrieve_result()
    person = opsgenie_sdk.AcknowledgeAlertPayload(user="Ada")
    alerts.acknowledge_alert(created.id, acknowledge_alert_payload=person).retrieve_result()
    alert = alerts.get_alert(created.id).data
    assert alert.acknowledged and alert.status == "open" and alert.owner == "Ada", alert
    alerts.close_alert("disk/db 3", **by_alias).retrieve_result()
    closed = alerts.get_alert(created.id).data
    listed = alerts.list_alerts(query="status: closed").data
    count = alerts.count_alerts(query="status: closed").data.count
    notes = alerts.list_notes(created.id).data
    return {
        "id": created.id,
        "status": closed.status,
        "message": closed.message,
        "listed": [one.id for one in listed],
        "count": count,
        "notes": [one.note for one in notes],
    }


print(json.dumps({"pagerduty": with_pagerduty(), "pdpyras": with_pdpyras(), "opsgenie": with_opsgenie()}))
