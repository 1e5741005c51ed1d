import type { Urgency } from '../../pages/urgency-contract.ts';

/**
 * What the rest of the service and the dashboard know about a channel. Each channel describes itself in the `contract.ts` of its
 * folder, and `contract.ts` here lists them.
 */
export type ChannelDescription = {
  words: ChannelWords;
  /** Other names that people may use for it in notification rules of the operator's file. */
  aliases?: readonly string[];
  /** What it sends to; null: it reaches a person without a contact method. */
  method: MethodDescription | null;
  /**
   * When it notifies people who have no rules of their own, by urgency of the page, in minutes after they are notified (contract,
   * section 6). A missing urgency never uses it.
   */
  byDefault: Partial<Record<Urgency, readonly number[]>>;
  /** True: where no rule reaches a person, this channel is used at high urgency only. */
  onlyIfUrgent: boolean;
  /**
   * Notifications that one person gets by it within a minute before further ones are bundled (contract, section 6, storms).
   * Null: no limit.
   */
  mostPerMinute: number | null;
  /** Calls of one process that may run at the same time, so that a channel that hangs takes nothing from the others. */
  concurrency: number;
};

export type ChannelWords = {
  /** Alone, as in a list: “SMS”. */
  name: string;
  /** Within a sentence or a chain: “SMS”, “call”. */
  short: string;
  /** After “was notified”: “by SMS”. */
  way: string;
  /** After “acknowledged”, where that is not what `way` says. */
  answered?: string;
  /** For its line among all channels: “Calls”. */
  plural: string;
  /** One line for the operator: what it goes through, or what it needs. */
  explained: string;
  /** A person's menu item that sends a test by it. */
  test: string;
  /** Button that sends a code by this channel instead of the first of its contact method; missing: no such button. */
  codeInstead?: string;
};

/** A kind of contact method. Several channels may share one, as SMS and calls share the phone. */
export type MethodDescription = {
  /** As the API, the database and the operator's file write it. */
  type: string;
  name: string;
  /** After “you have”, where a person has none that works. */
  lacking: string;
  /** After a code was sent: where to look for it. */
  codeSent: string;
  /** First step when notifications to one fail. */
  repair: string;
  /** How people write it; null: they cannot, a browser makes it. */
  form: MethodForm | null;
  /** A second field that the channel needs; null: the value is enough. */
  detail: MethodDetail | null;
  /** True: each gets a secret of its own, which signs what is sent to it. */
  signed: boolean;
  /** True: the value is a URL that the service calls, so that private addresses are refused. */
  called: boolean;
  /** Whether programs may read it from the on-call API; false: it holds a secret. */
  published: boolean;
  /** Whether it gets notices, which are no pages: from the start, only if its owner wants it, or never. */
  notices: 'from the start' | 'if wanted' | 'never';
  /** The value as its owner reads it; addresses that are secrets are shortened. */
  shown(value: string): string;
  /** The value for others, who need to recognize it but not to have it. */
  hinted(value: string): string;
};

export type MethodForm = {
  label: string;
  hint: string;
  placeholder: string;
  keyboard: 'tel' | 'email' | 'url' | 'text';
  /** For errors of the operator's file: “give …”. */
  example: string;
};

export type MethodDetail = {
  /** Its name in the API, the database and the operator's file. */
  field: 'chat_user_id';
  label: string;
  hint: string;
  placeholder: string;
};

/** A value as it is kept, or what is wrong with the text, to be read after the name of the field. */
export type Reading = { value: string } | { problem: string };

export type MethodReader = {
  value(text: string, allowPrivate: boolean): Reading;
  /** The second field, for methods that have one. */
  detail?(text: string): Reading;
};
