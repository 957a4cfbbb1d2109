-- One statement for each table, so that each is rewritten once.
ALTER TABLE "assistants" ALTER COLUMN "config" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "calls" ALTER COLUMN "metadata" SET DATA TYPE json, ALTER COLUMN "metadata" SET DEFAULT '{}'::json, ALTER COLUMN "snapshot" SET DATA TYPE json, ALTER COLUMN "analysis" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "message" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "tools" ALTER COLUMN "config" SET DATA TYPE json;
