import { stored } from '../../language/contract.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { readStatusPage } from './status-page.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Status pages of other companies: Atlassian Statuspage and products with its format. None of them signs. */
export const statuspage: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readReport };

const EXPECTED = stored('a webhook of a status page');

function readReport({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  return (
    readStatusPage(parsed.object, 'Statuspage', receivedAt) ??
    unreadable(stored('the body has neither an "incident" nor a "maintenance" nor a "component"'), EXPECTED)
  );
}
