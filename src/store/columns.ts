import { customType } from 'drizzle-orm/pg-core';
import { storableJson, storableText } from './storable.ts';

/** Text that people and machines write; see {@link storableText}. */
export const plainText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storableText,
});

/** An opaque id. Byte order, so that UUIDv7 ids sort by age whatever the server's locale. */
export const idText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
  toDriver: storableText,
});

const jsonbType = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storableJson,
});

/** A JSON document of a known shape. */
export const json = <T>(name: string) => jsonbType(name).$type<T>();

const jsonTextType = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  toDriver: storableJson,
});

/**
 * A JSON document with objects that users wrote: `json` keeps the order of their properties, which `jsonb` does not.
 * It has `->` and `#>>`; for other operators, cast it to jsonb.
 */
export const orderedJson = <T>(name: string) => jsonTextType(name).$type<T>();

const instantType = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => value.toISOString(),
  fromDriver: (value) => new Date(value),
});

/** An instant in whole milliseconds. */
export const instant = (name: string) => instantType(name);

/** Bytes. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** What full text search looks into. */
export const tsvector = customType<{ data: string; driverData: string }>({
  dataType: () => 'tsvector',
});
