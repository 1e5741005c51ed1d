import { field, firstText, type JsonObject, objectField, objectsField, textField } from './payload.ts';

/** Events of versions 1 and 2, and their names in version 3. A note belongs to an incident, but does not change it. */
const TYPES = new Map([
  ['incident.trigger', 'incident.triggered'],
  ['incident.acknowledge', 'incident.acknowledged'],
  ['incident.unacknowledge', 'incident.unacknowledged'],
  ['incident.resolve', 'incident.resolved'],
  ['incident.assign', 'incident.reassigned'],
  ['incident.escalate', 'incident.escalated'],
  ['incident.delegate', 'incident.delegated'],
]);

/**
 * A message of a version 1 or 2 webhook as an event of version 3. Version 1 has `type` and `data.incident`, version 2 has
 * `event` and `incident`.
 */
export function eventOfMessage(message: JsonObject): JsonObject {
  const word = firstText(message, ['event', 'type']);
  const second = objectField(message, 'incident');
  const incident =
    Object.keys(second).length > 0 ? second : objectField(objectField(message, 'data'), 'incident');
  return {
    event_type: word === null ? null : (TYPES.get(word) ?? word),
    occurred_at: firstText(message, ['created_on', 'created_at']),
    agent: agentOf(message, incident),
    data: {
      ...incident,
      type: word === 'incident.annotate' ? 'incident_note' : 'incident',
      title: titleOf(incident),
      number: textField(incident, 'incident_number'),
      created_at: firstText(incident, ['created_at', 'created_on']),
      service: named(objectField(incident, 'service')),
      assignees: assigneesOf(incident),
    },
  };
}

function titleOf(incident: JsonObject): string | null {
  const trigger = objectField(incident, 'trigger_summary_data');
  return (
    firstText(incident, ['title', 'description']) ??
    firstText(trigger, ['subject', 'description', 'SERVICEDESC'])
  );
}

/** The person who acted: in version 2 the agent of the log entry, in version 1 a person with a name. */
function agentOf(message: JsonObject, incident: JsonObject): JsonObject {
  const agent = objectField(objectsField(message, 'log_entries')[0] ?? {}, 'agent');
  if (textField(agent, 'type')) return agent;
  const last = objectField(incident, 'last_status_change_by');
  const isPerson = textField(last, 'email') !== null;
  return isPerson ? { type: 'user', summary: textField(last, 'name') } : last;
}

function assigneesOf(incident: JsonObject): JsonObject[] {
  const assigned = objectsField(incident, 'assignments').map((one) => objectField(one, 'assignee'));
  const listed = objectsField(incident, 'assigned_to').map((one) => objectField(one, 'object'));
  const user = objectField(incident, 'assigned_to_user');
  return [...assigned, ...listed, user].map(named).filter((one) => field(one, 'summary') !== null);
}

/** Version 1 calls `name` what later versions call `summary`. */
function named(thing: JsonObject): JsonObject {
  return { ...thing, summary: firstText(thing, ['summary', 'name']) };
}
