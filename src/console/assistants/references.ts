import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VendorPart } from '../../client/api.generated.ts';

const Known = createContext<readonly VendorPart[]>([]);

export const VendorsProvider = Known.Provider;

/** The vendors that an assistant may name, and whether they are ready. */
export const useVendors = (): readonly VendorPart[] => useContext(Known);
