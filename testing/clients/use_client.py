"""Every public operation, called by the client that was generated from the service's own description."""

import json
import os
import sys
from io import BytesIO

from tocsin_client import AuthenticatedClient
from tocsin_client.api.availability import upload_availabilities
from tocsin_client.api.moments import create_moment, receive_webhook
from tocsin_client.api.pages import page_person, page_team
from tocsin_client.api.requests import request_status
from tocsin_client.api.schedules import list_oncalls, list_schedules
from tocsin_client.models.api_moment import ApiMoment
from tocsin_client.models.error_envelope import ErrorEnvelope
from tocsin_client.models.oncall_list import OncallList
from tocsin_client.models.page import Page
from tocsin_client.models.person_page import PersonPage
from tocsin_client.models.queued_envelope import QueuedEnvelope
from tocsin_client.models.receive_webhook_integration import ReceiveWebhookIntegration
from tocsin_client.models.schedule_list import ScheduleList
from tocsin_client.models.status_envelope import StatusEnvelope
from tocsin_client.models.team_page import TeamPage
from tocsin_client.models.upload_accepted import UploadAccepted
from tocsin_client.models.upload_availabilities_files_body import UploadAvailabilitiesFilesBody
from tocsin_client.types import File

ENVIRONMENT = os.environ


def main() -> None:
    client = AuthenticatedClient(base_url=ENVIRONMENT["SERVICE_URL"], token=ENVIRONMENT["SERVICE_KEY"])
    uploads = AuthenticatedClient(base_url=ENVIRONMENT["UPLOAD_URL"], token=ENVIRONMENT["SERVICE_KEY"])
    token = ENVIRONMENT["CUSTOM_TOKEN"]

    team_page = TeamPage(recipient="sre", title="Disk full", text="db-1")
    queued = page_team.sync(client=client, body=team_page, idempotency_key="once")
    assert isinstance(queued, QueuedEnvelope), queued
    again = page_team.sync(client=client, body=team_page, idempotency_key="once")
    assert again == queued, again

    refused = page_person.sync(
        client=client, body=PersonPage(recipient="nobody@example.com", title="x", text="x")
    )
    assert isinstance(refused, ErrorEnvelope), refused
    assert refused.details[0].field == "recipient", refused

    status = request_status.sync(queued.service_request_id, client=client, wait=20)
    assert isinstance(status, StatusEnvelope), status
    assert isinstance(status.response.page, Page), status
    assert status.response.page.deliveries[0].user.email == "ada@example.com"
    assert status.response.created_at.tzinfo is not None

    moment = create_moment.sync(token, client=client, body=ApiMoment(name="Rolled back", type_="Alert"))
    assert isinstance(moment, QueuedEnvelope), moment
    recorded = request_status.sync(moment.service_request_id, client=client, wait=20)
    assert isinstance(recorded, StatusEnvelope) and isinstance(recorded.response.moments, list), recorded
    assert recorded.response.moments[0].name == "Rolled back", recorded
    unknown = receive_webhook.sync_detailed(
        "nothing", ReceiveWebhookIntegration("grafana"), client=client, body={}
    )
    assert unknown.status_code == 404, unknown

    everything = list_schedules.sync(client=client)
    assert isinstance(everything, ScheduleList) and len(everything.results) == 1, everything
    oncalls = list_oncalls.sync(everything.results[0].id, client=client)
    assert isinstance(oncalls, OncallList), oncalls
    assert oncalls.oncalls[0].user.email == "ada@example.com", oncalls

    csv = b"email,start_time\nada@example.com,2027-12-24T08:00:00Z\n"
    form = UploadAvailabilitiesFilesBody(file=File(payload=BytesIO(csv), file_name="absences.csv"), commit="save")
    uploaded = upload_availabilities.sync(client=uploads, body=form)
    assert isinstance(uploaded, UploadAccepted), uploaded
    json.dump({"request": queued.service_request_id, "records": len(uploaded.availabilities)}, sys.stdout)


main()
