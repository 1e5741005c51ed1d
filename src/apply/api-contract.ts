import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { PublishedValue } from '../schedules/settings-contract.ts';

/** The operator's file over HTTP. docs/operators-file.md describes the file. */

const Text = Type.String();

const AppliedChange = Type.Object({
  action: Type.Enum(['add', 'change', 'remove'], { type: 'string' }),
  kind: Type.Enum(
    ['organization', 'user', 'team', 'schedule', 'source', 'availability', 'window', 'pay_table'],
    {
      type: 'string',
    },
  ),
  id: Text,
  name: Text,
  details: Type.Array(Text, {
    description: 'The changed fields, such as `name: was Ada, is Ada Lovelace`, without secrets.',
  }),
});

const SchedulePlan = Type.Object({
  schedule: Type.Object({ id: Text, name: Text }),
  published: PublishedValue,
  planned_until: Type.String(TIME),
  figures: Type.Union([Type.Record(Text, Type.Unknown()), Type.Null()], {
    description: "The solver's figures; null for rotations.",
  }),
  gaps: Type.Array(
    Type.Object({
      stage: Type.Number(),
      start: Type.String(TIME),
      end: Type.String(TIME),
      sentence: Text,
    }),
  ),
});

/** The report of `tocsin apply --json`. */
export const AppliedReport = Type.Object({
  ok: Type.Boolean(),
  dry_run: Type.Boolean(),
  organization: Type.Object({ id: Text, name: Text, time_zone: Text }),
  summary: Type.Object({ added: Type.Integer(), changed: Type.Integer(), removed: Type.Integer() }),
  changes: Type.Array(AppliedChange),
  notes: Type.Array(Text, { description: 'Warnings, such as gaps, and rules that a rotation ignores.' }),
  plans: Type.Array(SchedulePlan, { description: 'The plan of every schedule of the organization.' }),
  source_keys: Type.Array(Type.Object({ team: Text, name: Text, key: Text }), {
    description: 'The keys of new page sources, which are shown only once. Empty for a dry run.',
  }),
  signing_secrets: Type.Array(Type.Object({ user: Text, url: Text, signing_secret: Text }), {
    description: 'Always empty over the API, which does not change contact methods.',
  }),
});
export type AppliedReport = Static<typeof AppliedReport>;

export const applyApi = {
  apply: endpoint('POST /api/apply', {
    summary: 'Apply a file',
    description:
      'Makes the organization match the file and plans its schedules, completely or not at all. What the file does not mention stays. Applying the same file again changes nothing.',
    query: Type.Object({
      dry_run: Type.Boolean({ default: false, description: 'Whether to report only what would change.' }),
      prune: Type.Boolean({
        default: false,
        description: 'Whether to remove what the file does not mention.',
      }),
    }),
    body: Type.Unknown({
      description: "The operator's file, as YAML or JSON: docs/operators-file.md describes its keys.",
    }),
    takes: ['application/json', 'application/yaml'],
    response: AppliedReport,
  }),
};
