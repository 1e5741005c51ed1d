import type { Urgency } from '../../pages/urgency-contract.ts';

/**
 * What the rest of the service and the dashboard know about a channel. Each channel describes itself in the
 * `contract.ts` of its folder, and `contract.ts` in this folder lists the descriptions.
 */
export type ChannelDescription = {
  words: ChannelWords;
  /** Other names of the channel in notification rules of the operator's file. */
  aliases?: readonly string[];
  /** The kind of contact method that it sends to; null when it needs none. */
  method: MethodDescription | null;
  /**
   * The default notification rules by urgency of the page: minutes after the person is notified (contract, section 6).
   * Urgencies that are left out do not use the channel.
   */
  byDefault: Partial<Record<Urgency, readonly number[]>>;
  /** True: when no notification rule reaches a person, this channel is only used at high urgency. */
  onlyIfUrgent: boolean;
  /**
   * How many notifications one person gets through it within a minute before further ones are bundled (contract,
   * section 6, storms); null for no limit.
   */
  mostPerMinute: number | null;
  /** The most concurrent calls of a process, so that a channel that hangs does not block the others. */
  concurrency: number;
  /**
   * What happens to the people who were notified when a source or program resolves a page: the notification itself is
   * changed (a call ends), they get a message, or nothing happens because the channel shows the current page.
   */
  whenOver: 'change' | 'message' | 'nothing';
};

export type ChannelWords = {
  /** The name on its own, as in a list: “SMS”. */
  name: string;
  /** Within a sentence: “SMS”, “call”. */
  short: string;
  /** After “was notified”: “by SMS”. */
  way: string;
  /** After “acknowledged”, if it is different from `way`. */
  answered?: string;
  /** In the list of all channels: “Calls”. */
  plural: string;
  /** One line for the operator: its provider, or its requirements. */
  explained: string;
  /** The menu item that sends a test through it. */
  test: string;
  /**
   * The button that sends a code through this channel instead of the first channel of the contact method. Without it,
   * there is no button.
   */
  codeInstead?: string;
};

/** A type of contact method. Several channels can share one, as SMS and calls share the phone number. */
export type MethodDescription = {
  /** The name in the API, the database and the operator's file. */
  type: string;
  name: string;
  /** After “you have”, if a person has no working one. */
  lacking: string;
  /** Where to find the code that was sent. */
  codeSent: string;
  /** The first thing to try when notifications to it fail. */
  repair: string;
  /** How people enter it; null if a browser creates it. */
  form: MethodForm | null;
  /** A second field that the channel needs; null when it needs none. */
  detail: MethodDetail | null;
  /** True: each has its own secret, which signs the messages to it. */
  signed: boolean;
  /** True: the value is a URL that the service calls, so private addresses are refused. */
  called: boolean;
  /** Whether the on-call API shows it to programs; false when it contains a secret. */
  published: boolean;
  /** Whether it gets notices: by default, only if its owner enables them, or never. */
  notices: 'from the start' | 'if wanted' | 'never';
  /** The value as shown to its owner; secret URLs are shortened. */
  shown(value: string): string;
  /** The value as shown to others: enough to recognize it, but not to use it. */
  hinted(value: string): string;
};

export type MethodForm = {
  label: string;
  hint: string;
  placeholder: string;
  keyboard: 'tel' | 'email' | 'url' | 'text';
  /** For errors about the operator's file: “give …”. */
  example: string;
};

export type MethodDetail = {
  /** The name in the API, the database and the operator's file. */
  field: 'chat_user_id';
  label: string;
  hint: string;
  placeholder: string;
};

/** The normalized value, or what is wrong with the text, which completes a sentence that starts with the field. */
export type Reading = { value: string } | { problem: string };

export type MethodReader = {
  value(text: string, allowPrivate: boolean): Reading;
  /** Parses the second field, if there is one. */
  detail?(text: string): Reading;
};
