import { customType } from 'drizzle-orm/pg-core';
import { storableJson, storableText } from './storable.ts';

/** Arbitrary text; see {@link storableText}. */
export const plainText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storableText,
});

/** An opaque id. Sorted by bytes, so that UUIDv7 ids sort by age in every locale. */
export const idText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
  toDriver: storableText,
});

const jsonbType = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storableJson,
});

/** A JSON document of a known type. */
export const json = <T>(name: string) => jsonbType(name).$type<T>();

const jsonTextType = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  toDriver: storableJson,
});

/**
 * A JSON document with objects of users: the type `json` keeps the order of properties, `jsonb` does not. It has `->`
 * and `#>>`; for other operators, cast it to jsonb.
 */
export const orderedJson = <T>(name: string) => jsonTextType(name).$type<T>();

const instantType = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => value.toISOString(),
  fromDriver: (value) => new Date(value),
});

/** A time with millisecond precision. */
export const instant = (name: string) => instantType(name);

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** A full-text search vector. */
export const tsvector = customType<{ data: string; driverData: string }>({
  dataType: () => 'tsvector',
});
