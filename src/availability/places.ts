import { Fault } from '../kit/fault.ts';

export type PlaceLimits = { uploads: number; bytes: number };

/** Limits how many uploads, and how many bytes of them, are held at once, from first byte to the end of the answer. */
export type Places = {
  /**
   * Takes a place for an upload of this size; `leave` gives it back and may be called twice.
   * @throws Fault 503 with `Retry-After` if there is no place
   */
  enter(bytes: number): Place;
  held(): { uploads: number; bytes: number };
};

export type Place = {
  /** Changes the size of the upload. */
  resize(bytes: number): void;
  leave(): void;
};

export function createPlaces(limits: PlaceLimits): Places {
  const places = new Map<Place, number>();
  let total = 0;
  const resize = (place: Place, bytes: number) => {
    const before = places.get(place);
    if (before === undefined) return;
    total += bytes - before;
    places.set(place, bytes);
  };
  return {
    enter(bytes) {
      if (places.size >= limits.uploads || total + bytes > limits.bytes) throw busy();
      const place: Place = {
        resize: (to) => resize(place, to),
        leave() {
          resize(place, 0);
          places.delete(place);
        },
      };
      places.set(place, 0);
      place.resize(bytes);
      return place;
    },
    held: () => ({ uploads: places.size, bytes: total }),
  };
}

const RETRY_AFTER_SECONDS = 10;

function busy(): Fault {
  const message = `too many are being worked on; nothing was saved, send the file again in ${RETRY_AFTER_SECONDS} s`;
  return new Fault('unavailable', [{ field: 'uploads', message }], {
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
}
