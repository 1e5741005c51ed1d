import { isIPv6 } from 'node:net';
import { ConfigError, readTogether, readUrl } from '../../../kit/setting.ts';
import { t } from '../../../language/contract.ts';
import type { FieldFault, FormValues, ProviderSettings } from '../settings.ts';
import { parseSender } from './sender.ts';
import { checkMailServer, type Smtp } from './transport.ts';

export type SmtpSettings = { smtp: Smtp | null };

export const SMTP: ProviderSettings<'SMTP_URL' | 'SMTP_FROM', SmtpSettings> = {
  names: ['SMTP_URL', 'SMTP_FROM'],
  read(read) {
    const given = readTogether(read, ['SMTP_URL', 'SMTP_FROM']);
    if (!given) return { smtp: null };
    readUrl('SMTP_URL', read, ['smtp:', 'smtps:']);
    if (!parseSender(given.SMTP_FROM))
      throw new ConfigError(
        'SMTP_FROM is not an email address; give one such as "Tocsin <tocsin@example.com>"',
      );
    return { smtp: { url: given.SMTP_URL, from: given.SMTP_FROM } };
  },
  form: {
    provider: 'smtp',
    bound: ['host', 'port', 'encryption', 'user'],
    faults,
    variables: (values) => ({ SMTP_URL: urlOf(values), SMTP_FROM: values.from ?? '' }),
    entered: ({ smtp }, { allowPrivateWebhooks }) => ({
      smtp: smtp && { ...smtp, publicOnly: !allowPrivateWebhooks },
    }),
    shown: ({ smtp }) => smtp && { ...partsOf(smtp.url), from: smtp.from },
    check: checkMailServer,
  },
};

function faults({ host = '', port = '', user = '', password = '', from = '' }: FormValues): FieldFault[] {
  const found: FieldFault[] = [];
  if (!isHost(host))
    found.push({
      field: 'host',
      message: t('is not the name or address of a server; give one such as smtp.example.com'),
    });
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    found.push({ field: 'port', message: t('is not a port; give a number from 1 to 65535, or none') });
  if (password !== '' && user === '')
    found.push({
      field: 'user',
      message: t('is needed with a password; give the name for both, or neither'),
    });
  if (!parseSender(from))
    found.push({
      field: 'from',
      message: t('is not an email address; give one such as {example}', {
        example: '"Tocsin <tocsin@example.com>"',
      }),
    });
  return found;
}

function isHost(text: string): boolean {
  return isIPv6(text) || (/^[\w.-]+$/.test(text) && URL.canParse(`http://${text}/`));
}

/** The encryption of the form, as `SMTP_URL` writes it. */
const SCHEMES: Record<string, { scheme: string; query: string }> = {
  tls: { scheme: 'smtps', query: '' },
  starttls: { scheme: 'smtp', query: '?requireTLS=true' },
  if_offered: { scheme: 'smtp', query: '' },
};

function urlOf({ host = '', port = '', encryption = '', user = '', password = '' }: FormValues): string {
  const { scheme, query } = SCHEMES[encryption] ?? { scheme: 'smtps', query: '' };
  const name = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const where = isIPv6(host) ? `[${host}]` : host;
  return `${scheme}://${name}${where}${port === '' ? '' : `:${port}`}${query ? `/${query}` : ''}`;
}

function partsOf(text: string): Record<string, string> {
  const url = new URL(text);
  const requires = url.searchParams.get('requireTLS') === 'true';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    encryption: url.protocol === 'smtps:' ? 'tls' : requires ? 'starttls' : 'if_offered',
    port: url.port,
    user: decodeURIComponent(url.username),
  };
}
