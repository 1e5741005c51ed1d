import { plainMarkdown } from '../markdown.ts';
import { paragraphs } from './facts.ts';
import { firstText, type JsonObject, objectField, objectsField, textField } from './payload.ts';
import { plainText } from './sender-text.ts';

const MOST_CONDITIONS = 10;

/** What an alert is about, in words: each of Azure's services says it in its own way. */
export function azureCondition(context: JsonObject): string | null {
  const properties = objectField(context, 'properties');
  return paragraphs(
    plainText(firstText(properties, ['title', 'defaultLanguageTitle'])),
    conditionList(objectField(context, 'condition')),
    plainText(firstText(context, ['operationName'])),
    plainText(firstText(properties, ['statusMessage', 'cause', 'trackingId'])),
  );
}

/** Metric and log alerts: what was compared with what. */
function conditionList(condition: JsonObject): string | null {
  const lines = objectsField(condition, 'allOf')
    .slice(0, MOST_CONDITIONS)
    .map((one) => `- ${plainMarkdown(conditionLine(one))}`);
  return lines.join('\n') || null;
}

function conditionLine(condition: JsonObject): string {
  const short = (name: string) => textField(condition, name)?.slice(0, 200).replace(/\s+/g, ' ') ?? null;
  const what = short('metricName') ?? short('metricMeasureColumn') ?? short('searchQuery') ?? 'value';
  const dimensions = objectsField(condition, 'dimensions')
    .slice(0, 5)
    .map((one) => `${textField(one, 'name')?.slice(0, 100)}=${textField(one, 'value')?.slice(0, 100)}`);
  const value = short('metricValue');
  return [
    short('timeAggregation'),
    what,
    short('operator'),
    short('threshold'),
    value && `(${value})`,
    dimensions.length > 0 ? `for ${dimensions.join(', ')}` : null,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Log alerts link to what their query found. */
export function azureLinks(context: JsonObject): [label: string, url: string | null][] {
  const [first] = objectsField(objectField(context, 'condition'), 'allOf');
  const results = ['linkToSearchResultsUI', 'linkToFilteredSearchResultsUI', 'LinkToSearchResults'];
  return [['Results', (first && firstText(first, results)) ?? firstText(context, results)]];
}
