import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FetchedText } from '../kit/fetch-text.ts';
import { rememberCertificates } from './certificates.ts';

const CERTIFICATE = new URL('https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem');

describe('certificates', () => {
  let now = 0;
  let fetched = 0;

  function certificates(answer: () => FetchedText) {
    fetched = 0;
    return rememberCertificates(
      async () => {
        fetched++;
        return answer();
      },
      () => now,
    );
  }

  it('are fetched once a day, however many calls need them at once', async () => {
    const fetchCertificate = certificates(() => ({ status: 200, text: 'PEM' }));
    const answers = await Promise.all([fetchCertificate(CERTIFICATE), fetchCertificate(CERTIFICATE)]);
    assert.deepEqual(answers, [
      { status: 200, text: 'PEM' },
      { status: 200, text: 'PEM' },
    ]);
    now += 23 * 3_600_000;
    await fetchCertificate(CERTIFICATE);
    assert.equal(fetched, 1);
    now += 3_600_001;
    await fetchCertificate(CERTIFICATE);
    assert.equal(fetched, 2);
  });

  it('that cannot be fetched are requested again after five seconds', async () => {
    for (const trouble of [{ error: 'timeout' }, { status: 503, text: '' }]) {
      const fetchCertificate = certificates(() => trouble);
      await fetchCertificate(CERTIFICATE);
      assert.deepEqual(await fetchCertificate(CERTIFICATE), trouble);
      assert.equal(fetched, 1);
      now += 5_001;
      await fetchCertificate(CERTIFICATE);
      assert.equal(fetched, 2);
    }
  });

  it('are not cached without limit', async () => {
    const fetchCertificate = certificates(() => ({ status: 200, text: 'PEM' }));
    for (let name = 0; name < 250; name++) await fetchCertificate(new URL(`/${name}.pem`, CERTIFICATE));
    await fetchCertificate(new URL('/249.pem', CERTIFICATE));
    assert.equal(fetched, 250);
    await fetchCertificate(new URL('/0.pem', CERTIFICATE));
    assert.equal(fetched, 251);
  });
});
