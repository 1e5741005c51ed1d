import { CHANNEL, CHANNELS } from '../../notifications/channels/contract.ts';

/** The fields of GET /request/:id/status that the command line reads. */
export type RequestStatus = {
  service_request_id: string;
  response: {
    status: 'queued' | 'processing' | 'retrying' | 'succeeded' | 'failed';
    success: boolean | null;
    message: string;
    kind: string;
    attempts: number;
    created_at: string;
    finished_at: string | null;
    errors: { at: string; message: string }[];
    page?: PageStatus | null;
    /** The effect of a page source's call on pages. */
    pages?: { id: string | null }[];
    moments?: MomentStatus[];
  };
};

export type PageStatus = {
  id: string;
  state: 'notifying' | 'acknowledged' | 'resolved' | 'expired';
  round: number;
  acknowledged_by: { name: string } | null;
  acknowledged_at: string | null;
  deliveries: DeliveryStatus[];
};

export type DeliveryStatus = {
  id: string;
  user: { name: string };
  channel: string;
  address: string;
  state: string;
  accepted_at: string | null;
  error: string | null;
};

type MomentStatus = { id: string; name: string; type: string; priority: string; state: string };

export function requestStatusPathFor(id: string, waitSeconds?: number): string {
  const wait = waitSeconds === undefined ? '' : `?wait=${waitSeconds}`;
  return `/request/${encodeURIComponent(id)}/status${wait}`;
}

/** The state of a delivery as a sentence; null while there is nothing to report. */
export function deliverySentence({
  user,
  channel,
  accepted_at,
  state,
  error,
}: DeliveryStatus): string | null {
  // A newer server may have channels that this program does not know.
  const known = CHANNELS.find((one) => one === channel);
  const way = known ? CHANNEL[known].words.way : `by ${channel}`;
  switch (state) {
    case 'accepted':
    case 'delivered':
      return `${user.name} was notified ${way}${accepted_at ? ` at ${accepted_at}` : ''}`;
    case 'failed':
      return `${user.name} could not be notified ${way}${error ? `: ${error}` : ''}`;
    case 'retrying':
      return `${user.name} could not be notified ${way} yet, trying again${error ? `: ${error}` : ''}`;
    case 'bundled':
      return `${user.name} is notified ${way} together with other pages`;
    default:
      return null;
  }
}

/** The status of a request, for people. */
export function statusText({ service_request_id, response }: RequestStatus): string {
  const { page, moments, finished_at } = response;
  return [
    `${service_request_id}  ${response.kind}  ${response.status}`,
    response.message,
    `created ${response.created_at}${finished_at ? `, finished ${finished_at}` : ''}, attempts ${response.attempts}`,
    ...response.errors.map(({ at, message }) => `${at}  ${message}`),
    ...(page ? pageLines(page) : []),
    ...(moments ?? []).map(
      ({ id, type, priority, state, name }) => `${id}  ${type}  ${priority}  ${state}  ${name}`,
    ),
  ].join('\n');
}

/** `acknowledged by Ada at …`; after that, who acknowledged it need not be who ended it: `resolved, acknowledged by Ada at …`. */
export function stateText({ state, acknowledged_by, acknowledged_at }: PageStatus): string {
  if (!acknowledged_by) return state;
  const by = `acknowledged by ${acknowledged_by.name} at ${acknowledged_at}`;
  return state === 'acknowledged' ? by : `${state}, ${by}`;
}

function pageLines(page: PageStatus): string[] {
  return [
    `${page.id}  ${stateText(page)}, round ${page.round}`,
    ...page.deliveries.map((delivery) => {
      const sentence =
        deliverySentence(delivery) ?? `${delivery.user.name}: ${delivery.channel} is ${delivery.state}`;
      return `  ${sentence} (${delivery.address || 'no address'})`;
    }),
  ];
}
