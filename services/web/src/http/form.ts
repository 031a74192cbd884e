import express from "express";
import type { Request, RequestHandler } from "express";

const FORM_MAX_BYTES = 64 * 1_024;
const FIELDS_MAX = 100;
/**
 * Maximum characters of a field or parameter; the rest is cut off before anything reads it. Every field but those
 * of `formText` has a smaller maximum of its own, whose message the person then sees.
 */
export const FIELD_CHARACTERS_MAX = 4_096;

/** Middleware that parses forms. */
export function readForms(): RequestHandler {
  return express.urlencoded({ extended: false, limit: FORM_MAX_BYTES, parameterLimit: FIELDS_MAX });
}

/** Returns the trimmed text of a field; empty when absent or repeated. */
export function formField(request: Request, name: string): string {
  return formSecret(request, name).trim();
}

/** Returns the text of a field as typed, for secrets, which may contain white space. */
export function formSecret(request: Request, name: string): string {
  return formText(request, name).slice(0, FIELD_CHARACTERS_MAX);
}

/** Returns the whole text of a field, as long as a form may be: for tables, and for what we have sealed. */
export function formText(request: Request, name: string): string {
  const form = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** Returns all values of a repeatable field, such as check boxes. */
export function formFields(request: Request, name: string): string[] {
  const form = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(form, name) ? form[name] : [];
  const texts = [value].flat().filter((one) => typeof one === "string");
  return texts.map((text) => text.slice(0, FIELD_CHARACTERS_MAX));
}

/** Returns a query parameter; empty when absent or repeated. */
export function queryField(request: Request, name: string): string {
  const values = new URL(request.originalUrl, "http://any").searchParams.getAll(name);
  return values.length === 1 ? values[0]!.slice(0, FIELD_CHARACTERS_MAX).trim() : "";
}
