/** What the channels need to know, as plain values; `config.ts` reads them from the environment. */
export type ChannelSettings = {
  /** `SMTP_URL` and `SMTP_FROM`. */
  smtp: { url: string; from: string } | null;
  /** `TWILIO_*`. `from` is a number in E.164 or a messaging service (`MG…`); `apiUrl` an origin, with or without a path. */
  twilio: { accountSid: string; authToken: string; from: string; apiUrl: string } | null;
  /** `SLACK_*`. `apiUrl` ends in `/api/` for Slack itself. */
  slack: { botToken: string; signingSecret: string; apiUrl: string } | null;
  /** Always there: generated on first start when nobody sets `VAPID_*`. `subject` is a `mailto:` or `https:` URL. */
  vapid: { publicKey: string; privateKey: string; subject: string };
  /** `ALLOW_PRIVATE_WEBHOOKS`: lets webhooks and push subscriptions reach private and loopback addresses. */
  allowPrivateWebhooks: boolean;
  /**
   * `PUBLIC_URL`, without a slash at the end: where links lead and providers call us back. Read for each message: a worker may learn
   * it from another process.
   */
  publicUrl: string;
  /** Whatever would go to a provider goes nowhere, and counts as taken over: for the example. */
  mute?: boolean;
};
