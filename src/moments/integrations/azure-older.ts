import { stored } from '../../language/contract.ts';
import { field, firstText, type JsonObject, objectField, quoted, textField } from './payload.ts';

type OlderAlert = { data: JsonObject } | { ignored: string } | { problem: string };

/**
 * Calls of action groups without the common alert schema, converted to that schema. Classic alerts and log alerts name
 * no schema. For any other schema, the sentence names the fix.
 */
export function readOlderSchema(schema: string | null, body: JsonObject): OlderAlert {
  const data = objectField(body, 'data');
  const context = objectField(schema === null ? body : data, 'context');
  switch (schema) {
    case 'AzureMonitorMetricAlert':
      return { data: metricAlert(data, context) };
    case 'Microsoft.Insights/activityLogs':
      return { data: activityLog(objectField(context, 'activityLog')) };
    case 'Microsoft.Insights/LogAlert':
      return { data: logAlert(data) };
    case 'AIP Budget Notification':
      return { data: budget(data) };
    case null:
      return withoutSchema(body, context);
    default:
      return {
        problem: stored('the schema is {schema}; switch on the common alert schema in the action group.', {
          schema: quoted(schema),
        }),
      };
  }
}

function withoutSchema(body: JsonObject, context: JsonObject): OlderAlert {
  if (textField(body, 'AlertRuleName') !== null) return { data: logAlert(body) };
  if (textField(context, 'newCapacity') !== null)
    return {
      ignored: stored('It reports that Azure changed the number of instances, which is not an alert.'),
    };
  return {
    data: textField(context, 'name') === null ? objectField(body, 'data') : metricAlert(body, context),
  };
}

/** The conditions of classic alerts were not listed. */
function metricAlert(data: JsonObject, context: JsonObject): JsonObject {
  const severity = textField(context, 'severity');
  const condition = objectField(context, 'condition');
  const isOver = /^(?:deactivated|resolved)$/i.test(textField(data, 'status')?.trim() ?? '');
  return {
    essentials: {
      alertId: [textField(context, 'id'), textField(context, 'resourceId')].filter(Boolean).join(' '),
      alertRule: textField(context, 'name'),
      severity: severity && `Sev${severity}`,
      signalType: 'Metric',
      monitorCondition: isOver ? 'Resolved' : 'Fired',
      configurationItems: [textField(context, 'resourceName')],
      alertTargetIDs: [textField(context, 'resourceId')],
      description: textField(context, 'description'),
      investigationLink: textField(context, 'portalLink'),
      ...times(field(context, 'timestamp'), isOver),
    },
    alertContext: {
      condition: Array.isArray(field(condition, 'allOf')) ? condition : { allOf: [condition] },
    },
  };
}

/** An entry of the log: administrative, or about the health of a service or resource, which also reports its end. */
function activityLog(entry: JsonObject): JsonObject {
  const properties = objectField(entry, 'properties');
  const isOver = textField(entry, 'status')?.trim().toLowerCase() === 'resolved';
  return {
    essentials: {
      alertId: firstText(properties, ['trackingId']) ?? firstText(entry, ['correlationId', 'eventDataId']),
      alertRule: firstText(properties, ['title']) ?? textField(entry, 'operationName'),
      severity: textField(entry, 'level'),
      signalType: 'Activity Log',
      monitorCondition: isOver ? 'Resolved' : 'Fired',
      monitoringService: textField(entry, 'eventSource'),
      alertTargetIDs: [textField(entry, 'resourceId')],
      description: firstText(entry, ['description']) ?? firstText(properties, ['details', 'communication']),
      ...times(field(entry, 'eventTimestamp'), isOver),
    },
    alertContext: entry,
  };
}

/** Fires whenever the query finds something, and never reports an end. */
function logAlert(data: JsonObject): JsonObject {
  const severity = textField(data, 'Severity');
  const place = firstText(data, ['ResourceId', 'WorkspaceId', 'ApplicationId', 'SubscriptionId']);
  const rule = textField(data, 'AlertRuleName');
  return {
    essentials: {
      alertId: `log ${place ?? ''} ${rule ?? ''}`,
      alertRule: rule,
      severity: severity && `Sev${severity}`,
      signalType: 'Log',
      monitorCondition: 'Fired',
      alertTargetIDs: [textField(data, 'ResourceId')],
      description: textField(data, 'Description'),
      investigationLink: firstText(data, ['LinkToFilteredSearchResultsUI', 'LinkToSearchResults']),
      ...times(field(data, 'SearchIntervalEndtimeUtc'), false),
    },
    alertContext: {
      condition: {
        allOf: [
          {
            searchQuery: field(data, 'SearchQuery'),
            operator: field(data, 'AlertThresholdOperator'),
            threshold: field(data, 'AlertThresholdValue'),
            metricValue: field(data, 'ResultCount'),
          },
        ],
      },
    },
  };
}

function budget(data: JsonObject): JsonObject {
  const [spent, limit, unit] = ['SpendingAmount', 'Budget', 'Unit'].map(
    (name) => textField(data, name) ?? '?',
  );
  return {
    essentials: {
      alertId: `budget ${textField(data, 'SubscriptionId') ?? ''} ${textField(data, 'BudgetName') ?? ''}`,
      description: `${spent} of ${limit} ${unit} are spent.`,
    },
    alertContext: { AlertCategory: 'budgets', AlertData: data },
  };
}

function times(at: unknown, isOver: boolean): JsonObject {
  return { firedDateTime: at, resolvedDateTime: isOver ? at : null };
}
