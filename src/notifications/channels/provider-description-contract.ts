/**
 * What the dashboard knows about a provider that owners and admins can set up there. Each provider describes itself in the
 * `provider-contract.ts` of its channel's folder, and `providers-contract.ts` lists the descriptions.
 */
export type ProviderDescription = {
  words: {
    /** The name: “Email server”. */
    name: string;
    /** One sentence: what it is for, and where its values are found. */
    explained: string;
  };
  /** The fields of its form, in order. All values are texts; an empty one is not set. */
  fields: Readonly<Record<string, ProviderField>>;
  /** What has to be entered at the provider, so that people can answer; `base` is the public address of the service. */
  callbacks(base: string): readonly ProviderCallback[];
};

export type ProviderField = {
  label: string;
  /** A line of help below; null when the label is enough. */
  hint: string | null;
  placeholder: string;
  required: boolean;
  /** True: it is stored encrypted and never shown again. */
  secret: boolean;
  /** For a secret that belongs to another field: a stored one is not kept if that field is empty. */
  belongsTo?: string;
  /** The values to choose from, the first of which is the default; null for a text. */
  choices: readonly { value: string; label: string }[] | null;
  keyboard: 'text' | 'numeric' | 'email' | 'tel';
};

export type ProviderCallback = {
  /** True: the values of the fields exist only afterwards. */
  first: boolean;
  /** Where it is entered at the provider. */
  where: string;
  value: string;
};
