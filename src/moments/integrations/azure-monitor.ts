import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { azureCondition, azureLinks } from './azure-context.ts';
import { readAzureHealth } from './azure-health.ts';
import { readOlderSchema } from './azure-older.ts';
import { type Fact, factLines, nameList, paragraphs } from './facts.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  quoted,
  readJsonObject,
  textField,
} from './payload.ts';
import { linkLine, plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('an alert of Azure Monitor in the common alert schema');

const COMMON = 'azureMonitorCommonAlertSchema';

/** Azure Monitor's action groups, best with the common alert schema. */
export const azureMonitor: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readAzureMonitor };

function readAzureMonitor({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const alert = alertIn(parsed.object);
  const schema = textField(alert, 'schemaId');
  const read = schema === COMMON ? { data: objectField(alert, 'data') } : readOlderSchema(schema, alert);
  if ('problem' in read) return { error: read.problem };
  if ('ignored' in read) return read;
  const { data } = read;
  const essentials = objectField(data, 'essentials');
  const rule = ruleOf(data, essentials);
  // Budgets have no condition and never report an end.
  const condition = textField(essentials, 'monitorCondition') ?? (isBudget(data) ? 'Fired' : null);
  if (!rule || !condition)
    return unreadable(stored('the body has no "data.essentials" with rule and condition'), EXPECTED);
  const action = ACTIONS.get(condition.trim().toLowerCase());
  if (!action)
    return {
      ignored: stored('The condition {condition} neither begins nor ends an alert.', {
        condition: quoted(condition),
      }),
    };
  return { events: [alertEvent(data, essentials, rule, action, receivedAt)] };
}

/** Automation runbooks pass a call on in `RequestBody`, as an object or as text. */
function alertIn(body: JsonObject): JsonObject {
  const inner = field(body, 'RequestBody');
  if (isObject(inner)) return inner;
  const parsed = typeof inner === 'string' ? readJsonObject(Buffer.from(inner)) : null;
  return parsed && 'object' in parsed ? parsed.object : body;
}

function isBudget(data: JsonObject): boolean {
  return textField(objectField(data, 'alertContext'), 'AlertCategory') !== null;
}

/** A budget's alert has no rule, but its budget has a name. */
function ruleOf(data: JsonObject, essentials: JsonObject): string | null {
  const rule = textField(essentials, 'alertRule');
  if (rule !== null || !isBudget(data)) return rule;
  const budget = textField(objectField(objectField(data, 'alertContext'), 'AlertData'), 'BudgetName');
  return budget === null ? null : `Budget ${budget}`;
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['fired', 'open'],
  ['resolved', 'resolve'],
]);

/** Azure counts from 0, so its Sev0 is SEV1 in other tools. */
const PRIORITIES = new Map<string, Priority>([
  ['sev0', 'high'],
  ['sev1', 'high'],
  ['sev2', 'medium'],
  ['sev3', 'low'],
  ['sev4', 'low'],
  // Levels of activity logs.
  ['critical', 'high'],
  ['error', 'high'],
  ['informational', 'low'],
  ['verbose', 'low'],
]);

function alertEvent(
  data: JsonObject,
  essentials: JsonObject,
  rule: string,
  action: MomentEvent['action'],
  receivedAt: Temporal.Instant,
): MomentEvent {
  const target = isBudget(data) ? null : targetOf(essentials);
  const health = readAzureHealth(
    objectField(data, 'alertContext'),
    texts(essentials, 'alertTargetIDs')[0] ?? null,
  );
  const isOver = action === 'resolve' || health?.isOver === true;
  const severity = textField(essentials, 'severity');
  const fired = senderTime(field(essentials, 'firedDateTime'));
  const resolved = senderTime(field(essentials, 'resolvedDateTime'));
  return momentEvent(
    {
      dedupKey:
        health?.key ??
        textField(essentials, 'alertId') ??
        textField(essentials, 'originAlertId') ??
        `rule ${rule} ${target ?? ''}`,
      action: isOver ? 'resolve' : action,
      name: health?.title ?? (target && !rule.includes(target) ? `${rule} on ${target}` : rule),
      type: 'alert',
      priority: PRIORITIES.get(severity?.trim().toLowerCase() ?? '') ?? 'medium',
      severity,
      labels: customTexts(data).map(([name, value]) => `${name}=${value}`),
      description: description(data, essentials),
      source: 'Azure Monitor',
      sourceUrl: portalUrl(essentials),
      occurredAt: fired ?? receivedAt,
      // An end only has a time if the beginning has one, because the two are compared.
      at: (fired && (action === 'resolve' ? resolved : fired)) ?? receivedAt,
    },
    receivedAt,
  );
}

/** The name of the first resource. Whole subscriptions have none. */
function targetOf(essentials: JsonObject): string | null {
  const [item] = texts(essentials, 'configurationItems');
  const id = item ?? texts(essentials, 'alertTargetIDs')[0] ?? '';
  return /^\/?subscriptions\/[^/]*\/?$/i.test(id) ? null : lastSegment(id);
}

function texts(object: JsonObject, name: string): string[] {
  const value = field(object, name);
  return Array.isArray(value)
    ? value.slice(0, 50).filter((one) => typeof one === 'string' && one !== '')
    : [];
}

function lastSegment(id: string | undefined): string | null {
  return id?.split('/').at(-1) || null;
}

/** Links to the alert, or to its resource for older alerts without an id. */
function portalUrl(essentials: JsonObject): string | null {
  const given = httpUrlOrNull(textField(essentials, 'investigationLink'));
  if (given) return given;
  const portal = 'https://portal.azure.com/';
  const id = textField(essentials, 'alertId');
  if (id?.startsWith('/'))
    return `${portal}#view/Microsoft_Azure_Monitoring_Alerts/AlertDetails.ReactView/alertId~/${encodeURIComponent(id.toWellFormed())}`;
  const [resource] = texts(essentials, 'alertTargetIDs');
  return resource ? httpUrlOrNull(`${portal}#resource${resource.toWellFormed()}`) : null;
}

function customTexts(data: JsonObject): Fact[] {
  const custom = objectField(data, 'customProperties');
  return Object.keys(custom)
    .slice(0, 20)
    .map((name) => [name.slice(0, 100), textField(custom, name)]);
}

function description(data: JsonObject, essentials: JsonObject): string | null {
  const context = objectField(data, 'alertContext');
  return paragraphs(
    plainText(textField(essentials, 'description')),
    azureCondition(context),
    factLines([
      ['Rule', readAzureHealth(context, null)?.title ? textField(essentials, 'alertRule') : null],
      ['Resources', nameList(texts(essentials, 'alertTargetIDs').map(lastSegment))],
      ['Service', textField(essentials, 'monitoringService')],
      ['Signal', textField(essentials, 'signalType')],
    ]),
    plainFacts(customTexts(data)),
    linkLine(...azureLinks(context).map(([label, url]) => markdownLink(label, httpUrlOrNull(url)))),
  );
}

/** The names of these fields are external, too. */
function plainFacts(facts: readonly Fact[]): string | null {
  return factLines(facts.map(([name, value]) => [plainText(name) ?? '', value]));
}
