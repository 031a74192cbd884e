import pg from "pg";

const { builtins } = pg.types;

/**
 * How column types become JavaScript values. By default, pg returns `int8` and `numeric` as strings
 * and `date` as a time in the process's own zone.
 */
const PARSERS: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe integer: ${text}`);
    return value;
  },
  [builtins.NUMERIC]: Number,
  [builtins.DATE]: (text) => text,
};

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};
