import { type TNull, type TSchema, type TUnion, Type } from 'typebox';

/** A value of this schema, or null. The description belongs to both. */
export function Nullable<Of extends TSchema>(schema: Of, description?: string): TUnion<[Of, TNull]> {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
