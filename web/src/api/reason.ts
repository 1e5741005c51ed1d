import { t } from '../language/t.ts';

/** What a refusal without details says to people; its own `error` is for programs and always English. */
export function reasonText(status: number): string {
  switch (status) {
    case 400:
      return t('Bad Request');
    case 401:
      return t('Unauthorized');
    case 403:
      return t('Forbidden');
    case 404:
      return t('Not Found');
    case 405:
      return t('Method Not Allowed');
    case 409:
      return t('Conflict');
    case 410:
      return t('Gone');
    case 413:
      return t('Payload Too Large');
    case 415:
      return t('Unsupported Media Type');
    case 421:
      return t('Misdirected Request');
    case 429:
      return t('Too Many Requests');
    case 500:
      return t('Internal Server Error');
    case 503:
      return t('Service Unavailable');
    default:
      return t('The service answered {status}.', { status: String(status) });
  }
}
