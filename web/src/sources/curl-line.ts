const JSON_TYPE = "-H 'Content-Type: application/json'";

/** Calls that page, for types whose senders have a key: by host name and key. */
const WITH_KEY: Readonly<Record<string, (origin: string, key: string) => string>> = {
  'pagerduty-events': (origin, key) =>
    `curl -sS "${origin}/v2/enqueue" ${JSON_TYPE} -d '{"routing_key": "${key}", "event_action": "trigger", "dedup_key": "test", "payload": {"summary": "Test", "source": "curl", "severity": "info"}}'`,
  'opsgenie-api': (origin, key) =>
    `curl -sS "${origin}/v2/alerts" -H "Authorization: GenieKey ${key}" ${JSON_TYPE} -d '{"message": "Test", "alias": "test", "priority": "P5"}'`,
  'grafana-oncall': (origin, key) =>
    `curl -sS "${origin}/integrations/v1/webhook/${key}/" ${JSON_TYPE} -d '{"title": "Test", "alert_uid": "test", "severity": "info"}'`,
  goalert: (origin, key) =>
    `curl -sS "${origin}/api/v2/generic/incoming?token=${key}" -d summary=Test -d dedup=test`,
  victorops: (origin, key) =>
    `curl -sS "${origin}/integrations/generic/20131114/alert/${key}/test" ${JSON_TYPE} -d '{"message_type": "WARNING", "entity_id": "test", "state_message": "Test"}'`,
};

/**
 * A command that calls a source as its senders do; null when none is known. `guide`: the documentation of the type, which
 * has one for many tools.
 */
export function curlLine(
  { type, url }: { type: string; url: string | null },
  { key, origin, guide }: { key: string | null; origin: string; guide: string },
): string | null {
  const withKey = WITH_KEY[type];
  if (withKey) return withKey(origin, key ?? '$KEY');
  if (url === null) return null;
  if (type === 'heartbeat') return `curl -fsS "${url}"`;
  if (type === 'custom')
    return `curl -sS "${url}" ${JSON_TYPE} -d '{"title": "Test", "urgency": "low", "dedup_key": "test"}'`;
  const [, example] = /^```sh\n(curl -sS "\$WEBHOOK_URL"[\s\S]*?)\n```$/m.exec(guide) ?? [];
  return example?.replaceAll('"$WEBHOOK_URL"', `"${url}"`) ?? null;
}
