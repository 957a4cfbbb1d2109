CREATE TABLE "knowledge_passages" (
	"segment_id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"text" text NOT NULL,
	"headings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"page" integer,
	"url" text,
	"title" text,
	"vector" "bytea",
	CONSTRAINT "knowledge_passages_segment_id_number_pk" PRIMARY KEY("segment_id","number")
);
--> statement-breakpoint
CREATE TABLE "knowledge_segments" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"knowledge_base_id" text collate "C" NOT NULL,
	"source" text NOT NULL,
	"title" text NOT NULL,
	"fingerprint" text NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"passages" integer DEFAULT 0 NOT NULL,
	"words" bigint DEFAULT 0 NOT NULL,
	"askable" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"live" boolean DEFAULT false NOT NULL,
	"vector_model" text,
	"retired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "knowledge_terms" (
	"knowledge_base_id" text collate "C" NOT NULL,
	"term" text collate "C" NOT NULL,
	"segment_id" text collate "C" NOT NULL,
	"passages" integer NOT NULL,
	"postings" "bytea" NOT NULL,
	CONSTRAINT "knowledge_terms_knowledge_base_id_term_segment_id_pk" PRIMARY KEY("knowledge_base_id","term","segment_id")
);
--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "content_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "training_id" text collate "C";--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD COLUMN "trained_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "knowledge_passages" ADD CONSTRAINT "knowledge_passages_segment_id_knowledge_segments_id_fk" FOREIGN KEY ("segment_id") REFERENCES "public"."knowledge_segments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_segments" ADD CONSTRAINT "knowledge_segments_knowledge_base_id_knowledge_bases_id_fk" FOREIGN KEY ("knowledge_base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_terms" ADD CONSTRAINT "knowledge_terms_segment_id_knowledge_segments_id_fk" FOREIGN KEY ("segment_id") REFERENCES "public"."knowledge_segments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_segments_base" ON "knowledge_segments" USING btree ("knowledge_base_id");--> statement-breakpoint
CREATE INDEX "knowledge_terms_segment" ON "knowledge_terms" USING btree ("segment_id");