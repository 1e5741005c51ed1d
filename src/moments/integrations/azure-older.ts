import { field, firstText, type JsonObject, objectField, quoted, textField } from './payload.ts';

/**
 * What action groups send while the common alert schema is switched off, for metrics and activity logs, as that schema
 * would say it. The sentence tells what to do about any other.
 */
export function readOlderSchema(
  schema: string,
  data: JsonObject,
): { data: JsonObject } | { problem: string } {
  const context = objectField(data, 'context');
  if (schema === 'AzureMonitorMetricAlert') return { data: metricAlert(data, context) };
  if (schema === 'Microsoft.Insights/activityLogs')
    return { data: activityLog(objectField(context, 'activityLog')) };
  return {
    problem: `the schema is ${quoted(schema)}; switch on the common alert schema in the action group.`,
  };
}

function metricAlert(data: JsonObject, context: JsonObject): JsonObject {
  const severity = textField(context, 'severity');
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
    alertContext: { condition: objectField(context, 'condition') },
  };
}

/** An entry of the log: administrative, or about the health of a service or resource, which also tells of its end. */
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

function times(at: unknown, isOver: boolean): JsonObject {
  return isOver ? { resolvedDateTime: at } : { firedDateTime: at };
}
