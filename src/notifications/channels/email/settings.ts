import { ConfigError, readTogether, readUrl } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';

export type SmtpSettings = { smtp: { url: string; from: string } | null };

export const SMTP: ProviderSettings<'SMTP_URL' | 'SMTP_FROM', SmtpSettings> = {
  names: ['SMTP_URL', 'SMTP_FROM'],
  read(read) {
    const given = readTogether(read, ['SMTP_URL', 'SMTP_FROM']);
    if (!given) return { smtp: null };
    readUrl('SMTP_URL', read, ['smtp:', 'smtps:']);
    checkSender(given.SMTP_FROM);
    return { smtp: { url: given.SMTP_URL, from: given.SMTP_FROM } };
  },
};

function checkSender(text: string): void {
  if (/^\s*(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)\s*$/.test(text)) return;
  throw new ConfigError('SMTP_FROM is not an email address; give one such as "Tocsin <tocsin@example.com>"');
}
