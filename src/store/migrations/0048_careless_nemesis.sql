ALTER TABLE "test_runs" ADD COLUMN "call_ids" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "test_suites" ADD COLUMN "source" text;--> statement-breakpoint
UPDATE "test_suites" SET "source" = "config" ->> 'source', "config" = "config" - 'source';--> statement-breakpoint
ALTER TABLE "test_suites" ALTER COLUMN "source" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "test_suites" ADD COLUMN "call_ids" jsonb DEFAULT '[]'::jsonb NOT NULL;
