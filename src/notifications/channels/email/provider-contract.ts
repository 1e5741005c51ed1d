import { t } from '../../../language/contract.ts';
import type { ProviderDescription } from '../provider-description-contract.ts';

/** The mail server that sends email. */
export const smtp = {
  words: {
    get name() {
      return t('Email server');
    },
    get explained() {
      return t('Any SMTP server that accepts mail from your sender address.');
    },
  },
  fields: {
    host: {
      get label() {
        return t('Server');
      },
      hint: null,
      placeholder: 'smtp.example.com',
      required: true,
      secret: false,
      choices: null,
      keyboard: 'text',
    },
    encryption: {
      get label() {
        return t('Encryption');
      },
      hint: null,
      placeholder: '',
      required: true,
      secret: false,
      get choices() {
        return [
          { value: 'tls', label: t('TLS, usually port 465') },
          { value: 'starttls', label: t('STARTTLS, usually port 587') },
          { value: 'if_offered', label: t('Only if the server offers it') },
        ];
      },
      keyboard: 'text',
    },
    port: {
      get label() {
        return t('Port');
      },
      get hint() {
        return t('Leave it empty for the usual port');
      },
      placeholder: '',
      required: false,
      secret: false,
      choices: null,
      keyboard: 'numeric',
    },
    user: {
      get label() {
        return t('User name');
      },
      hint: null,
      placeholder: '',
      required: false,
      secret: false,
      choices: null,
      keyboard: 'text',
    },
    password: {
      get label() {
        return t('Password');
      },
      hint: null,
      placeholder: '',
      required: false,
      secret: true,
      belongsTo: 'user',
      choices: null,
      keyboard: 'text',
    },
    from: {
      get label() {
        return t('Sender');
      },
      get hint() {
        return t('An address that this server may send from');
      },
      placeholder: 'Tocsin <tocsin@example.com>',
      required: true,
      secret: false,
      choices: null,
      keyboard: 'email',
    },
  },
  callbacks: () => [],
} as const satisfies ProviderDescription;
