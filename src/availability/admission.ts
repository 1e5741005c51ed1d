import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

export type AdmissionLimits = { uploads: number; bytes: number };

/**
 * Limits how many uploads, and how many bytes of them, are held at once, from the first byte to the end of the answer.
 */
export type Admission = {
  /**
   * Admits an upload of this size; `leave` ends it and may be called twice.
   * @throws Fault 503 with `Retry-After` if too many are held
   */
  enter(bytes: number): Admitted;
  held(): { uploads: number; bytes: number };
};

export type Admitted = {
  /** Changes the size of the upload. */
  resize(bytes: number): void;
  leave(): void;
};

export function createAdmission(limits: AdmissionLimits): Admission {
  const uploads = new Map<Admitted, number>();
  let total = 0;
  const resize = (upload: Admitted, bytes: number) => {
    const before = uploads.get(upload);
    if (before === undefined) return;
    total += bytes - before;
    uploads.set(upload, bytes);
  };
  return {
    enter(bytes) {
      if (uploads.size >= limits.uploads || total + bytes > limits.bytes) throw busy();
      const upload: Admitted = {
        resize: (to) => resize(upload, to),
        leave() {
          resize(upload, 0);
          uploads.delete(upload);
        },
      };
      uploads.set(upload, 0);
      upload.resize(bytes);
      return upload;
    },
    held: () => ({ uploads: uploads.size, bytes: total }),
  };
}

const RETRY_AFTER_SECONDS = 10;

function busy(): Fault {
  const message = t(
    'have reached their limit for now, and nothing was saved; send the file again in {seconds} s',
    {
      seconds: RETRY_AFTER_SECONDS,
    },
  );
  return new Fault('unavailable', [{ field: 'uploads', message }], {
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
}
