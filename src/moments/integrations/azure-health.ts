import { firstText, type JsonObject, objectField, textField } from './payload.ts';

/** What an entry of the activity log says about the health of Azure itself, or of a resource. */
export type AzureHealth = {
  /** Azure sends a new alert for each change of an issue. This is the same in all of them. */
  key: string;
  isOver: boolean;
  /** The name of an Azure issue. Alerts about resources are named like others. */
  title: string | null;
};

/** Final stages of an issue. */
const LAST_STAGES = ['resolved', 'complete', 'completed', 'rca', 'canceled', 'cancelled'];

/** Null when the entry is about something else. `resource` is the id of what the alert is about. */
export function readAzureHealth(entry: JsonObject, resource: string | null): AzureHealth | null {
  const operation = textField(entry, 'operationName')?.toLowerCase() ?? '';
  const properties = objectField(entry, 'properties');
  const isResolved = word(entry, 'status') === 'resolved';
  if (operation.startsWith('microsoft.servicehealth/')) {
    const id = textField(properties, 'trackingId');
    const isOver = isResolved || LAST_STAGES.includes(word(properties, 'stage'));
    const title = firstText(properties, ['title', 'defaultLanguageTitle']);
    return id === null ? null : { key: `health ${id}`, isOver, title };
  }
  if (!operation.startsWith('microsoft.resourcehealth/') || resource === null) return null;
  const isWell = word(properties, 'currentHealthStatus') === 'available';
  return { key: `health ${resource.toLowerCase()}`, isOver: isResolved || isWell, title: null };
}

function word(object: JsonObject, name: string): string {
  return textField(object, name)?.trim().toLowerCase() ?? '';
}
